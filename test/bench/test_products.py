# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products on the core group: rates below the peak, and wrong results have none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from weft import module_files
from weft.diagnostics import RunError

BENCH = Path(__file__).parents[2] / "bench" / "products" / "bench.py"


@pytest.fixture(scope="module")
def bench() -> Any:
    return module_files.load(BENCH)


def test_cases_are_measured(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEFT_BENCH_CASES", "f64:128x128x128 f32:3x32x64x16 conv:8x18x18x16x1")
    found = list(bench.records())
    assert [one["case"] for one in found] == [
        "f64:128x128x128",
        "f32:3x32x64x16",
        "conv:8x18x18x16x1",
    ]
    for one in found:
        assert 0 < one["ratio"] < 1
        assert one["ratio"] == pytest.approx(one["value"] / 742.4)
    # Five times what cores that each fetch all for themselves reach.
    assert found[0]["value"] > 10


def test_a_product_is_a_batch_of_one(bench: Any) -> None:
    assert bench.parsed("f64:5x6x7") == ("f64", [1, 5, 6, 7])
    assert bench.parsed("f32:4x5x6x7") == ("f32", [4, 5, 6, 7])
    assert bench.parsed("conv:3x10x12x4x2") == ("conv", [3, 10, 12, 4, 2])


@pytest.mark.parametrize("case", ["f16:8x8x8", "f64:8x8", "conv:8x8x8x8", "f64:8xax8", "f64"])
def test_an_unknown_case(bench: Any, case: str) -> None:
    with pytest.raises(RunError, match="there is no such case"):
        bench.parsed(case)


def test_a_wrong_product_has_no_rate(bench: Any) -> None:
    right = np.arange(6.0)
    bench.check(right, right, 1e-15)
    for wrong in (right + 1, np.full_like(right, np.nan)):
        with pytest.raises(RunError, match="a product is wrong"):
            bench.check(wrong, right, 1e-3)
