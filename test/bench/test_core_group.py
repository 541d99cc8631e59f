# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Batches on the core group: rates below their roofs, and wrong results have none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from svg_texts import texts_of
from weft import machine, module_files
from weft.diagnostics import RunError

BENCH = Path(__file__).parents[2] / "bench" / "core-group" / "bench.py"


@pytest.fixture(scope="module")
def bench() -> Any:
    return module_files.load(BENCH)


def test_a_batch_is_measured(bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEFT_BENCH_CASES", "c128:64 c64:128")
    monkeypatch.setattr(bench, "PICTURE", tmp_path / "roofline.svg")
    found = list(bench.records())
    assert [record["unit"] for record in found] == 2 * ["GFlop/s", "%", "%"]
    for rate, of_peak, of_roof in (found[:3], found[3:]):
        # Nothing passes its roof; less than a third of it would be more than one pass over memory.
        assert 0.3 < rate["ratio"] < 1
        assert of_roof["value"] == pytest.approx(100 * rate["ratio"])
        assert of_peak["value"] == pytest.approx(100 * rate["value"] / 742.4)
        assert of_roof["met"] == (of_roof["value"] >= 90)
    assert found[3]["value"] > found[0]["value"]


def test_the_roof_is_the_tables(bench: Any) -> None:
    roofs = bench.Roofs.of_the_table(742.4e9)
    assert roofs.bytes_per_second == machine.load("sw26010").values["memory_bytes_per_second"]
    batch = bench.Batch("c128", 64)
    assert (batch.flops, batch.bytes) == (5 * 512 * 64 * 6, 2 * 512 * 64 * 16)
    assert roofs.reached(batch) == pytest.approx(roofs.bytes_per_second * 30 / 32)
    assert bench.Roofs(1e15, 2e9).reached(batch) == 2e9


def test_a_wrong_transform_has_no_rate(bench: Any) -> None:
    x = np.random.default_rng(0).standard_normal((3, 8)) + 0j
    bench.check(np.fft.fft(x, axis=1), x)
    with pytest.raises(RunError, match="a transform is wrong"):
        bench.check(np.fft.ifft(x, axis=1), x)
    with pytest.raises(RunError, match="a transform is wrong"):
        bench.check(np.full_like(x, np.nan), x)


def test_an_unknown_case(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEFT_BENCH_CASES", "c128:65")
    with pytest.raises(RunError, match="there is no such case"):
        bench.batches()


def test_the_picture(bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "PICTURE", tmp_path / "roofline.svg")
    bench._draw({bench.Batch("c128", 64): 1e10}, bench.Roofs(2e10, 742.4e9))
    texts = texts_of(tmp_path / "roofline.svg")
    assert {"peak 742.4 GFlop/s", "DMA 20 GB/s", "lines of c128", "64"} <= texts
    assert "lines of c64" not in texts
