# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The peers of the convolution benchmark convolve, and their rates are read rightly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from weft import module_files
from weft.diagnostics import RunError

BENCH = Path(__file__).parents[2] / "bench" / "conv" / "bench.py"
SIZES = {"C": 5, "H": 9, "W": 8, "K": 4, "N": 2}


@pytest.fixture(scope="module")
def bench() -> Any:
    return module_files.load(BENCH)


@pytest.fixture(scope="module")
def host(bench: Any) -> Any:
    return module_files.load(bench.EXAMPLE / "host.py")


def test_naive_loops_convolve(bench: Any, host: Any, tmp_path: Path) -> None:
    rate = bench._naive(host, SIZES, bench._compiled(tmp_path))
    assert rate.best > 0
    assert rate.name == "loops in C -O3 -march=native"


def test_a_part_of_the_filters_says_so(
    bench: Any, host: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "NAIVE_FLOPS", host.flops(SIZES) * 0.6)
    rate = bench._naive(host, SIZES, bench._compiled(tmp_path))
    assert rate.name.endswith(", 2 filters")


def test_wrong_results_have_no_rate(
    bench: Any, host: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = bench._compiled(tmp_path)
    monkeypatch.setattr(host, "direct", lambda x, g: np.ones((2, len(g), 7, 6)))
    with pytest.raises(RunError, match=r"naive\.c: error"):
        bench._naive(host, SIZES, library)


def test_record_states_whether_the_goal_is_met(bench: Any) -> None:
    ours, peer = bench.Rate("winograd4", 60.0), bench.Rate("p", 2.5)
    record = bench._record("64x8x8x64", "avx512", ours, peer, 20.0)
    assert (record["ratio"], record["met"]) == (24.0, True)
    assert bench._record("x", "avx512", peer, ours, 20.0)["met"] is False
    assert bench._record("x", "avx512", peer, ours, None)["met"] is None


def test_best_of_several_calls(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 4.0, 10.0, 12.0, 20.0, 23.0])
    monkeypatch.setattr(bench.time, "thread_time", lambda: next(times))
    calls: list[int] = []
    assert bench._best(lambda: calls.append(1), 4e9) == 2.0
    assert len(calls) == 4
