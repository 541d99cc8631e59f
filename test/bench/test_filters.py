# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The contestants of the benchmark of filters filter, and what is wrong has no rate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from weft import module_files, toolchain
from weft.diagnostics import RunError

BENCH = Path(__file__).parents[2] / "bench" / "filters" / "bench.py"


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Any:
    loaded = module_files.load(BENCH)
    monkeypatch.setenv("WEFT_BENCH_SECONDS", "0")
    monkeypatch.setattr(loaded.racing, "ROUNDS", 1)
    monkeypatch.setattr(loaded.racing, "BATCH_SECONDS", 0)
    return loaded


@pytest.mark.parametrize("dtype", ["complex128", "complex64"])
def test_all_contestants_filter(bench: Any, tmp_path: Path, dtype: str) -> None:
    libraries = list(bench.peers.guru_libraries())
    harness = bench.racing.harness(tmp_path)
    for kind, shape in (
        ("lines", (3, 20)),
        ("real lines", (3, 12)),
        ("plane", (6, 10)),
        ("real plane", (6, 10)),
        ("space", (4, 6, 5)),
    ):
        toy = bench.Case(kind, shape, dtype)
        found = list(bench.case_records(toy, toolchain.default_target(), harness, libraries))
        assert {"NumPy"} | {one.name for one in libraries} <= {record["peer"] for record in found}
        assert all(record["value"] > 0 and record["peer_value"] > 0 for record in found)


def test_a_wrong_result_has_no_rate(
    bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = bench.racing.harness(tmp_path)
    monkeypatch.setattr(bench.np.fft, "ifftn", lambda x, axes: np.zeros_like(x) + 1)
    with pytest.raises(RunError, match=r"filters lines 20 complex128: \w+: wrong by"):
        bench.contestants(
            bench.Case("lines", (3, 20), "complex128"), toolchain.default_target(), harness, []
        )


def test_cases_have_kernels_and_names_of_their_own(bench: Any) -> None:
    cases = list(bench.cases())
    assert len({case.name for case in cases}) == len(cases)
    source = bench.SOURCE.read_text(encoding="utf-8")
    assert all(f"kernel {case.kernel}[" in source for case in cases)
