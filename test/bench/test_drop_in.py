# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft.fft beside other modules: cases are measured, and wrong results have no time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from weft import module_files

BENCH = Path(__file__).parents[2] / "bench" / "drop-in" / "bench.py"


@pytest.fixture(scope="module")
def bench() -> Any:
    return module_files.load(BENCH)


def test_cases_are_measured(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEFT_BENCH_SECONDS", "0.01")
    monkeypatch.setattr(bench, "CASES", [c for c in bench.CASES if c.shape == (1024,)])
    monkeypatch.setenv("WEFT_BENCH_CASES", "rfft")
    (found,) = bench.records()
    assert found["case"] == "rfft 1024 float32"
    assert found["ratio"] == pytest.approx(found["peer_value"] / found["value"])
    assert 0.1 < found["value"] < 1e4


def test_wrong_results_have_no_time(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench.fft, "fft", lambda x, workers: 1.001 * bench.np.fft.fft(x))
    with pytest.raises(AssertionError, match=r"weft\.fft, fft 64 complex128: wrong by"):
        bench._measured(bench.Case("fft", (64,), "c16"))
