# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cores that meet before they put what they have made of lines, so that no get comes between."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import weft
from weft import explanation, machine

TARGET = "sw26010"
LINES = """\
kernel lines[b: size, n: size](x: T[b, n]) -> (y: T[b, n]):
    y = dft(x, axis=1)
"""
DTYPES = {"c128": (np.complex128, 1e-14), "c64": (np.complex64, 2e-6)}


def run(element: str, lines: int, n: int) -> Any:
    """The kernel, once its result has been found right and its messages in order."""
    kernel = weft.compile(LINES.replace("T[", f"{element}["), target=TARGET, b=lines, n=n)
    dtype, error = DTYPES[element]
    random = np.random.default_rng(23)
    x = random.standard_normal((lines, n)) + 1j * random.standard_normal((lines, n))
    found, wanted = kernel(x.astype(dtype)), np.fft.fft(x.astype(dtype), axis=1)
    assert np.linalg.norm(found - wanted) <= error * np.linalg.norm(wanted)
    assert kernel.report["run"]["hazards"] == []
    return kernel


def meets_in_pieces(kernel: Any) -> bool:
    return bool(re.search(r"cpe\.sync[^\n]*\n\s*cpe\.dma_put", kernel.ir["after:insert-transfers"]))


def syncs(kernel: Any) -> int:
    """Calls of a core: one is counted in its row and in its column."""
    return int(kernel.report["run"]["counters"]["syncs"]) // 128


# One line is a piece; two, four and eight; half and quarter of a piece behind the last part.
@pytest.mark.parametrize(
    ("element", "n"),
    [("c128", 320), ("c128", 512), ("c128", 1024), ("c64", 512), ("c64", 1024), ("c64", 1536)],
)
def test_lines_reach_nine_tenths_of_the_roof(element: str, n: int) -> None:
    kernel = run(element, 512, n)
    assert meets_in_pieces(kernel)
    moved = 2 * 512 * n * np.dtype(DTYPES[element][0]).itemsize
    roof = moved / machine.load(TARGET).values["memory_bytes_per_second"]
    assert roof >= 0.9 * kernel.report["run"]["kernel_seconds"]


def test_cores_meet_once_a_piece() -> None:
    # Two syncs around the tables, which one core gets for all.
    assert syncs(run("c128", 512, 1024)) == 2 + 8
    assert syncs(run("c128", 512, 512)) == 2 + 2


@pytest.mark.parametrize(("lines", "n"), [(500, 512), (130, 1024), (1, 1024)])
def test_cores_with_unequal_shares_do_not_meet(lines: int, n: int) -> None:
    assert not meets_in_pieces(run("c128", lines, n))


@pytest.mark.parametrize(("element", "n"), [("c128", 128), ("c64", 2048)])
def test_no_more_is_waited_for_than_slow_puts_take(element: str, n: int) -> None:
    assert not meets_in_pieces(run(element, 512, n))


def test_it_is_told() -> None:
    text = LINES.replace("T[", "c128[")
    notes = explanation.explain(text, "lines", TARGET, {"b": 512, "n": 512})["notes"]
    assert any("cores meet before they put" in str(note) for note in notes)
