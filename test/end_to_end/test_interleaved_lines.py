# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Short lines that are computed beside each other, and those that are left over."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft import explanation

SOURCE = """
kernel rows[b: size, n: size](x: T[b, n]) -> (y: T[b, n]):
    y = dft(x, axis=1)
"""
DTYPES = {"c64": (np.complex64, 1e-6), "c128": (np.complex128, 1e-14)}


def check(target: str, element: str, lines: int, points: int, threads: int = 1) -> None:
    text = SOURCE.replace("T[", f"{element}[")
    kernel = weft.compile(text, kernel="rows", target=target, b=lines, n=points)
    dtype, tolerance = DTYPES[element]
    random = np.random.default_rng(5)
    x = random.standard_normal((lines, points)) + 1j * random.standard_normal((lines, points))
    x = x.astype(dtype)
    wanted = np.fft.fft(x, axis=1)
    found = kernel(x, threads=threads)
    assert np.linalg.norm(found - wanted) <= tolerance * np.linalg.norm(wanted)
    # A result that is the input.
    kernel(x, out=x, threads=threads)
    assert np.array_equal(x, found)


# Four together and two, none left over and some; as few lines as are worth it, and fewer.
@pytest.mark.parametrize("target", ["avx512"], indirect=True)
@pytest.mark.parametrize("lines", [3, 8, 16, 19, 66, 1001])
@pytest.mark.parametrize(("element", "points"), [("c128", 32), ("c128", 36), ("c64", 64)])
def test_lines(target: str, element: str, points: int, lines: int) -> None:
    check(target, element, lines, points)


@pytest.mark.parametrize("target", ["avx512"], indirect=True)
def test_threads_share_them(target: str) -> None:
    check(target, "c128", 4099, 32, threads=2)


@pytest.mark.parametrize(
    ("lines", "points", "together"), [(64, 32, 4), (64, 64, 2), (9, 32, 2), (64, 256, 1)]
)
def test_how_many_go_together(lines: int, points: int, together: int) -> None:
    text = SOURCE.replace("T[", "c128[")
    notes = explanation.explain(text, "rows", "avx512", {"b": lines, "n": points})["notes"]
    told = [note["numbers"] for note in notes if note["pass"] == "interleave-lines"]
    assert [numbers.get("turns", 1) for numbers in told] == [together]
