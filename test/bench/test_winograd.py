# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each rung of the ladder convolves, and does what its schedule says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from weft import module_files, toolchain
from weft.diagnostics import RunError

FOLDER = Path(__file__).parents[2] / "bench" / "winograd"
SIZES = {"N": 2, "C": 5, "K": 8, "H": 15, "W": 13}


@pytest.fixture(scope="module")
def bench() -> Any:
    return module_files.load(FOLDER / "bench.py")


@pytest.fixture(autouse=True)
def short(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEFT_BENCH_SECONDS", "0")
    monkeypatch.setattr(bench.racing, "ROUNDS", 1)


def data() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(1)
    x = random.uniform(-1, 1, (2, 5, 15, 13)).astype(np.float32)
    return x, random.uniform(-1, 1, (8, 5, 3, 3)).astype(np.float32)


def rungs(bench: Any) -> list[Any]:
    here = bench.TARGETS[: bench.TARGETS.index(toolchain.default_target()) + 1]
    return [rung for rung in bench.RUNGS if rung.target in here]


def test_all_rungs_convolve(bench: Any) -> None:
    found = list(bench.climb(rungs(bench), SIZES, *data()))
    assert [one["case"] for one in found] == [rung.name for rung in rungs(bench)]
    assert all(one["value"] > 0 and one["ratio"] > 0 for one in found)


def test_schedules_act(bench: Any) -> None:
    operations = {}
    for rung in rungs(bench):
        report = bench.compiled(rung, SIZES).report
        operations[rung.name] = report["operations"]["flops"]
        if rung.algorithm:
            assert rung.algorithm in str(report["schedule"])
    if "F(2x2)" in operations:
        assert operations["F(2x2)"] != operations["F(4x4), steps fused"]
        assert operations["F(2x2)"] != operations["panels in registers, 512 bits"]


def test_wrong_results_have_no_rate(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    x, g = data()
    monkeypatch.setattr(bench.host, "direct", lambda x, g: np.ones((2, 8, 13, 11)))
    with pytest.raises(RunError, match=r"loops in C .*wrong by"):
        list(bench.climb(rungs(bench)[:1], SIZES, x, g))


def test_published_rungs_are_rungs(bench: Any) -> None:
    shown = module_files.load(FOLDER / "shown.py")
    assert set(shown.PUBLISHED) <= {rung.name for rung in bench.RUNGS}
    records = [
        {"case": rung.name, "metric": "m", "value": 2.0, "ratio": 4.0} for rung in bench.RUNGS
    ]
    lines = shown.table({"cpu": "c", "compiler": "g", "date": "d", "records": records})
    assert "| loops as they are written | m | 2 | 4.0 | 0.22: as given | 1 |" in lines
