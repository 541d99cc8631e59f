# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weft's convolutions err at most twice as much as the best library's with the same tiles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from weft import module_files, toolchain

FOLDER = Path(__file__).parents[2] / "bench" / "conv-accuracy"


@pytest.fixture(scope="module")
def bench() -> Any:
    return module_files.load(FOLDER / "bench.py")


def toy(bench: Any) -> Any:
    return bench.Layer(1, 48, 26, 32)


@pytest.mark.parametrize("data", ["random", "positive", "image"])
def test_no_error_is_twice_the_best_ones(bench: Any, data: str) -> None:
    found = list(bench.case_records(toy(bench), "f32", data, toolchain.default_target()))
    assert len(found) == 2 * len(bench.TILES)
    assert {one["case"]: one["ratio"] for one in found if one["met"] is False} == {}
    values = {(one["case"].rsplit(", ", 1)[1], one["metric"]): one["value"] for one in found}
    assert all(0 < value < 1e-3 for value in values.values())


def test_double_precision_is_compared_with_more_than_that(bench: Any) -> None:
    found = bench.case_records(bench.Layer(1, 8, 14, 4), "f64", "random", "portable")
    largest = [one["value"] for one in found if "largest" in one["metric"]]
    assert all(0 < value < 1e-11 for value in largest)
    assert largest[0] < largest[-1]


def test_errors_are_those_that_were_made(bench: Any) -> None:
    wanted = np.array([3.0, -4.0, 0.0, 5.0])
    assert bench.errors(wanted, wanted) == (0, 0)
    off = wanted + np.array([0.0, 0.0, 0.5, 0.0])
    rms = np.sqrt(50 / 4)
    assert bench.errors(off, wanted) == pytest.approx((0.5 / rms, 0.25 / rms))


def test_exact_is_the_definition(bench: Any) -> None:
    x, g = bench.problem(bench.Layer(2, 3, 7, 4), "random")
    x, g = x.astype(np.float64), g.astype(np.float64)
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(2, 3))
    expected = np.einsum("kcrs,nchwrs->nkhw", g, windows)
    np.testing.assert_allclose(bench.direct(x, g), expected, rtol=1e-12, atol=1e-12)


def test_images_are_bright_and_smooth(bench: Any) -> None:
    x, g = bench.problem(bench.Layer(1, 4, 40, 4), "image")
    assert x.min() >= 0
    assert x.max() <= 255
    assert 100 < x.mean() < 156
    assert np.abs(np.diff(x, axis=3)).mean() < 0.7 * x.std()
    assert np.abs(g.mean(axis=(2, 3))).max() < 0.1


def test_records_compare_with_the_least(bench: Any) -> None:
    by_name = {"a": (3.0, 5.0), "b": (4.0, 2.0)}
    first = bench.record("c", "m", 6.0, by_name, 0)
    assert (first["peer"], first["ratio"], first["met"]) == ("a", 2.0, True)
    second = bench.record("c", "m", 6.0, by_name, 1)
    assert (second["peer"], second["ratio"], second["met"]) == ("b", 3.0, False)
    alone = bench.record("c", "m", 6.0, {}, 1)
    assert (alone["peer"], alone["ratio"], alone["met"]) == (None, None, None)


def test_table_has_a_row_an_algorithm(bench: Any) -> None:
    shown = module_files.load(FOLDER / "shown.py")
    records = []
    for data in bench.DATA:
        for tile in (None, 4):
            case = f"f32 64 channels, {data}, {bench.algorithm(tile)}"
            records += [bench.record(case, "m", 3e-6, {"a": (1e-6, 2e-6)}, n) for n in (0, 1)]
    about = {"cpu": "c", "compiler": "gcc", "date": "today"}
    lines = shown.table({**about, "records": records}).splitlines()
    assert lines[3].startswith("| f32 | 64 | direct | 3.0e-06 | 3.0e-06 | **3.00** | 3.0e-06 |")
    assert lines[4].startswith("| f32 | 64 | F(4x4) |")
