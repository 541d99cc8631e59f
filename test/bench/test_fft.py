# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The peers of the transform benchmark transform, and what is wrong has no rate."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from weft import module_files, toolchain
from weft.diagnostics import RunError

BENCH = Path(__file__).parents[2] / "bench" / "fft" / "bench.py"


@pytest.fixture(scope="module")
def bench() -> Any:
    return module_files.load(BENCH)


@pytest.fixture(scope="module")
def harness(bench: Any, tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    library: ctypes.CDLL = bench.racing.harness(tmp_path_factory.mktemp("harness"))
    return library


@pytest.fixture(autouse=True)
def short(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEFT_BENCH_SECONDS", "0")
    monkeypatch.setattr(bench.racing, "ROUNDS", 1)
    monkeypatch.setattr(bench.racing, "BATCH_SECONDS", 0)


def case(bench: Any, kernel: str, axes: tuple[int, ...], real: str = "", **sizes: int) -> Any:
    dtype = "complex128" if kernel.endswith("c128") else "complex64"
    return bench.cases.Case("toy", kernel, tuple(sizes.items()), axes, dtype, 1, 1.2, real)


@pytest.mark.parametrize("kind", ["c128", "c64"])
def test_all_contestants_give_the_transform(bench: Any, harness: ctypes.CDLL, kind: str) -> None:
    libraries = list(bench.peers.guru_libraries())
    for toy in (
        case(bench, f"lines_{kind}", (1,), b=3, n=12),
        case(bench, f"columns_{kind}", (0,), n=20, b=5),
        case(bench, f"space_{kind}", (0, 1, 2), nz=4, ny=6, nx=5),
        case(bench, f"real_lines_{kind}", (1,), "forward", b=3, n=12),
        case(bench, f"real_lines_{kind}", (1,), "forward", b=3, n=9),
        case(bench, f"real_lines_back_{kind}", (1,), "back", b=3, n=12),
        case(bench, f"real_lines_back_{kind}", (1,), "back", b=3, n=9),
        case(bench, f"real_plane_{kind}", (0, 1), "forward", ny=6, nx=10),
        case(bench, f"real_plane_back_{kind}", (0, 1), "back", ny=6, nx=7),
    ):
        target = toolchain.default_target()
        found = list(bench.case_records(toy, target, harness, libraries))
        names = {record["peer"] for record in found}
        assert {"NumPy"} | {one.name for one in libraries if toy.dtype in one.libraries} <= names
        assert all(record["value"] > 0 and record["peer_value"] > 0 for record in found)
        best = max(record["peer_value"] for record in found)
        assert found[0]["peer_value"] == best
        goal = 1.2 if target == "avx512" else None
        assert [record["goal"] for record in found] == [goal] + [None] * (len(found) - 1)


def test_wrong_results_have_no_rate(
    bench: Any, harness: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy = case(bench, "lines_c128", (1,), b=3, n=12)
    right = np.fft.fftn
    monkeypatch.setattr(
        bench.peers,
        "numpy_like",
        lambda *_: [("half", lambda x, axes, _: right(x, axes=axes) * 0.5)],
    )
    with pytest.raises(RunError, match="half: wrong by 5"):
        list(bench.case_records(toy, toolchain.default_target(), harness, []))


def test_operations_are_the_nominal_ones(bench: Any) -> None:
    assert case(bench, "lines_c128", (1,), b=3, n=16).flops == 5 * 48 * 4
    assert case(bench, "columns_c128", (0,), n=16, b=3).flops == 5 * 48 * 4
    real = case(bench, "real_lines_c128", (1,), "forward", b=3, n=16)
    assert (real.flops, real.bytes) == (2.5 * 48 * 4, 8 * 48)
    assert case(bench, "space_c128", (0, 1, 2), nz=4, ny=2, nx=8).flops == 5 * 64 * 6


def test_cases_have_names_of_their_own(bench: Any) -> None:
    found = bench.cases.cases()
    assert len({one.name for one in found}) == len(found)
    batches = [one for one in found if one.group == "lines"]
    assert all(0.9 * 2**18 < one.bytes <= 2**18 for one in batches)


def test_peak_is_not_below_what_multiplies(bench: Any, harness: ctypes.CDLL) -> None:
    peak = bench.racing.peak(harness, "complex128")
    assert 1e9 < peak < 1e12
    assert bench.racing.peak(harness, "complex64") > peak
