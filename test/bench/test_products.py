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
    wanted = "f64:128x128x128 f32:3x32x64x16 conv:8x18x18x16x1 direct:8x18x18x16x1 "
    wanted += "auto:8x16x16x8x2+1 net:8x16x16x8x2+1"
    monkeypatch.setenv("WEFT_BENCH_CASES", wanted)
    found = list(bench.records())
    assert [one["case"] for one in found] == wanted.split()
    for one in found:
        assert 0 < one["ratio"] < 1
        assert one["ratio"] == pytest.approx(one["value"] / 742.4)
    # Five times what cores that each fetch all for themselves reach.
    assert found[0]["value"] > 10
    # Images, filters and results: 8 x 18 x 18, 9 x 8 x 16 and 16 x 16 x 16 numbers.
    assert found[3]["intensity"] == pytest.approx(18 * 8 * 16**3 / (4 * (2592 + 1152 + 4096)))
    assert found[3]["roof"] == pytest.approx(22.6 * found[3]["intensity"])


def test_the_roofline(bench: Any, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    layers = [
        {"case": f"{kind}:8x18x18x16x1", "value": rate, "peer_value": 742.4, "intensity": 80.0}
        for kind, rate in (("direct", 300.0), ("fixed", 900.0))
    ]
    bench.roofline.draw(layers, 22.6, tmp_path / "picture.svg")
    drawn = (tmp_path / "picture.svg").read_text(encoding="utf-8")
    assert "direct sum" in drawn
    assert "22.6 GB/s" in drawn


def test_a_product_is_a_batch_of_one(bench: Any) -> None:
    assert bench.parsed("f64:5x6x7") == ("f64", [1, 5, 6, 7])
    assert bench.parsed("f32:4x5x6x7") == ("f32", [4, 5, 6, 7])
    assert bench.parsed("conv:3x10x12x4x2") == ("conv", [3, 10, 12, 4, 2, 0])
    assert bench.parsed("net:8x10x12x8x2+1") == ("net", [8, 10, 12, 8, 2, 1])


@pytest.mark.parametrize(
    "case",
    [
        "f16:8x8x8",
        "f64:8x8",
        "conv:8x8x8x8",
        "f64:8xax8",
        "f64",
        "f64:8x8x8+1",
        "conv:8x8x8x8x1+",
        "net:8x8x8x8x1",
        "net:8x8x8x4x1+1",
    ],
)
def test_an_unknown_case(bench: Any, case: str) -> None:
    with pytest.raises(RunError, match="there is no such case"):
        bench.parsed(case)


def test_a_wrong_product_has_no_rate(bench: Any) -> None:
    right = np.arange(6.0)
    bench.check(right, right, 1e-15)
    for wrong in (right + 1, np.full_like(right, np.nan)):
        with pytest.raises(RunError, match="a product is wrong"):
            bench.check(wrong, right, 1e-3)
