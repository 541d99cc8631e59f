# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The peers of the FT benchmark compute FT, and their rates are read rightly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from weft import module_files
from weft.diagnostics import RunError
from weft.hosting import Case

BENCH = Path(__file__).parents[2] / "bench" / "ft" / "bench.py"


@pytest.fixture(scope="module")
def bench() -> Any:
    return module_files.load(BENCH)


@pytest.mark.parametrize("block", [1, 32])
def test_stockham_verifies(bench: Any, tmp_path: Path, block: int) -> None:
    host = module_files.load(bench.EXAMPLE / "host.py")
    case = Case("S", host._known_sizes(host.EXPECTED["cases"]["S"]))
    peer = bench._stockham(host, case, bench._compiled(block, tmp_path), "peer")
    assert peer.run() > 0


def test_scipy_verifies(bench: Any) -> None:
    host = module_files.load(bench.EXAMPLE / "host.py")
    case = Case("S", host._known_sizes(host.EXPECTED["cases"]["S"]))
    (peer,) = bench._scipy(host, case)
    assert peer.run() > 0


def test_rebuilt_on_libraries_verifies(bench: Any, tmp_path: Path) -> None:
    host = module_files.load(bench.EXAMPLE / "host.py")
    case = Case("S", host._known_sizes(host.EXPECTED["cases"]["S"]))
    names = [library.name for library in bench.libraries.peers.guru_libraries()]
    if not names:
        pytest.skip("no library with FFTW's interface")
    found = list(bench._rebuilt(host, case, bench.libraries.compiled(tmp_path)))
    assert [peer.name for peer in found] == [f"FT on {name}" for name in names]
    # Twice: the input is there again, the sums are those of all steps.
    assert all(peer.run() > 0 and peer.run() > 0 for peer in found)


def test_wrong_sums_have_no_rate(bench: Any) -> None:
    host = module_files.load(bench.EXAMPLE / "host.py")
    case = Case("S", host._known_sizes(host.EXPECTED["cases"]["S"]))
    sums = [complex(*pair) for pair in host.EXPECTED["cases"]["S"]["checksums"]]
    array = bench.np.array(sums)
    assert bench._rated(host, case, "x", array, 1.0) == pytest.approx(177.166955753)
    with pytest.raises(RunError, match="ft S: x: largest relative error"):
        bench._rated(host, case, "x", array + 1e-6, 1.0)


def test_npb_cpp_is_taken_from_the_environment(
    bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WEFT_NPB_CPP", raising=False)
    assert list(bench._npb_cpp("S")) == []
    program = tmp_path / "ft.S"
    shown = (
        " Mop/s total     =                  3105.20\n Verification    =            SUCCESSFUL\n"
    )
    program.write_text(f"#!/bin/sh\ncat <<END\n{shown}END\n")
    program.chmod(0o755)
    monkeypatch.setenv("WEFT_NPB_CPP", str(tmp_path))
    assert [peer.run() for peer in bench._npb_cpp("S")] == [3105.2]
    assert list(bench._npb_cpp("W")) == []
    program.write_text("#!/bin/sh\necho Verification = UNSUCCESSFUL\n")
    (peer,) = bench._npb_cpp("S")
    with pytest.raises(RunError, match="no verified rate"):
        peer.run()


def test_record_states_whether_the_goal_is_met(bench: Any) -> None:
    ours, peer = (
        bench.Contestant(name, lambda: 0.0, best) for name, best in (("weft", 8e3), ("p", 3e3))
    )
    record = bench._record("A", "avx512", ours, peer, 2.5)
    assert (record["value"], record["peer_value"], record["met"]) == (8e3, 3e3, True)
    assert bench._record("A", "avx512", peer, ours, 2.5)["met"] is False
    assert bench._record("A", "avx512", peer, ours, None)["met"] is None
