# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps over time on the core group: all programs are NumPy's, and fields that stay pay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from weft import module_files
from weft.diagnostics import RunError

BENCH = Path(__file__).parents[2] / "bench" / "steps" / "bench.py"


@pytest.fixture(scope="module")
def bench() -> Any:
    return module_files.load(BENCH)


def test_cases_are_measured(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = "heat:64x64 inside:33x20 wave:62x40 scaled:60x20 cg:64x16"
    monkeypatch.setenv("WEFT_BENCH_CASES", wanted)
    found = list(bench.records())
    assert [one["case"] for one in found] == wanted.split()
    for one in found:
        assert 2 < one["ratio"] < 100
        assert one["ratio"] == pytest.approx(one["peer_value"] / one["value"])
        assert 0 < one["waiting"] < 1


def test_a_wrong_step_has_no_time(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    heat = bench.PROGRAMS["heat"]
    wrong = heat._replace(step=lambda u: (np.roll(u, 1, 0),))
    monkeypatch.setitem(bench.PROGRAMS, "heat", wrong)
    with pytest.raises(RunError, match="a step is wrong"):
        bench.step("heat:16x16")


@pytest.mark.parametrize("case", ["cold:8x8", "heat:8", "heat:8xm", "heat"])
def test_no_such_case(bench: Any, case: str) -> None:
    with pytest.raises(RunError, match="no such case"):
        bench.parsed(case)
