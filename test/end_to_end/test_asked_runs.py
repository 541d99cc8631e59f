# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`exchange N` of a schedule: cores exchange what is in them until runs of main memory have N
elements. Whatever the length, results are equal; what cannot be had is refused."""

from __future__ import annotations

import re

import numpy as np
import pytest

import weft
from weft.diagnostics import RunError

TARGET = "sw26010"
PLANES = """\
kernel planes[p: size, n: size, m: size](x: {type}[p, n, m]) -> (y: {type}[p, n, m]):
    y = dft(x, axis=1)

schedule planes on sw26010:
    exchange {run}
"""


def planes(run: int, p: int, n: int, m: int, type_: str = "c128") -> weft.driver.Compiled:
    source = PLANES.format(type=type_, run=run)
    return weft.compile(source, "planes", target=TARGET, p=p, n=n, m=m)


def field(*shape: int) -> np.ndarray:
    random = np.random.default_rng(7)
    return random.standard_normal(shape) + 1j * random.standard_normal(shape)


# Which communication reaches a run: none, that of a row of cores, and of columns that are shared.
@pytest.mark.parametrize(
    ("run", "in_rows", "in_columns"),
    [(1, 0, 0), (2, 0, 0), (4, 1, 0), (16, 1, 0), (32, 1, 1), (64, 1, 1), (128, 1, 1)],
)
def test_runs_as_long_as_asked_for(run: int, in_rows: int, in_columns: int) -> None:
    kernel, x = planes(run, 8, 512, 128), field(8, 512, 128)
    np.testing.assert_allclose(kernel(x), np.fft.fft(x, axis=1), atol=1e-11)
    report = kernel.report["run"]
    (phase,) = report["phases_by_function"]
    assert (phase["counters"].get("row_sent", 0) > 0) == in_rows
    assert (phase["counters"].get("column_sent", 0) > 0) == in_columns
    assert report["hazards"] == []


@pytest.mark.parametrize(
    ("shape", "run"),
    [
        ((8, 60, 128), 16),
        ((6, 60, 100), 16),
        ((3, 64, 72), 32),
        ((2, 512, 64), 4),
        ((8, 48, 24), 24),
    ],
)
def test_each_transfer_has_runs_as_long_as_asked_for(shape: tuple[int, int, int], run: int) -> None:
    kernel, x = planes(run, *shape), field(*shape)
    np.testing.assert_allclose(kernel(x), np.fft.fft(x, axis=1), atol=1e-11)
    moved = re.findall(r"weft_(?:get|put)\((\w+).*, (\d+), (\d+), \d+\);", kernel.asm["slave.c"])
    runs = [int(block) or int(bytes_) for array, bytes_, block in moved if array[:2] != "w_"]
    assert min(runs) >= 16 * run


@pytest.mark.parametrize("seed", range(4))
def test_equal_results_whatever_the_shape(seed: int) -> None:
    random = np.random.default_rng(seed)
    p, n, m = (int(random.choice(some)) for some in ((1, 3, 8), (48, 64, 100), (24, 64, 72)))
    x = field(p, n, m)
    expected = np.fft.fft(x, axis=1)
    for run in (1, 2, 8):
        np.testing.assert_allclose(planes(run, p, n, m)(x), expected, atol=1e-11)


@pytest.mark.parametrize(
    ("shape", "run", "expected", "found"),
    [
        # All of it may stay with the cores, and planes of one are no planes.
        ((1, 512, 64), 128, "1 to 64", "64 columns lie side by side"),
        ((2, 512, 64), 128, "1 to 64", "64 columns lie side by side"),
        ((8, 512, 64), 128, "1 to 64", "64 columns lie side by side"),
        ((8, 512, 1024), 512, "1 to 128", "of more than 16 columns a core has no room"),
        ((8, 100, 2048), 512, "1 to ", "100 points are no multiple of the 8 cores of a row"),
        ((8, 2048, 12), 16, "1 to 1", "12 columns lie side by side"),
        # Cores of a row cannot move them together, nor share them.
        ((8, 60, 128), 32, "1 to ", "60 points are no multiple of the 8 cores of a row"),
        ((6, 60, 100), 64, "1 to ", "6 planes are no multiple of the 8 rows of cores"),
    ],
)
def test_what_cannot_be_had_is_refused(
    shape: tuple[int, int, int], run: int, expected: str, found: str
) -> None:
    with pytest.raises(RunError, match=f"the schedule's 'exchange {run}' cannot be kept") as caught:
        planes(run, *shape)
    assert expected in str(caught.value)
    assert found in str(caught.value)
    assert "<source>:2:9" in str(caught.value)


def test_lines_have_no_runs_to_ask_for() -> None:
    source = PLANES.format(type="c128", run=16).replace("axis=1", "axis=2")
    with pytest.raises(RunError, match="no transform goes along columns"):
        weft.compile(source, "planes", target=TARGET, p=2, n=8, m=64)
