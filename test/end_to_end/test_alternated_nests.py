# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transforms beyond the first cache: stages take turns over parts of the arrays between them."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft import explanation

SOURCE = """
kernel columns[n: size, b: size](x: T[n, b]) -> (y: T[n, b]):
    y = dft(x, axis=0)

kernel rows[b: size, n: size](x: T[b, n]) -> (y: T[b, n]):
    y = dft(x, axis=1)

kernel real_rows[b: size, n: size](x: T[b, n]) -> (y: T[b, n]):
    y = dft(irfft(rfft(real(x), axis=1), n=n, axis=1) + 1j * imag(x), axis=1)
"""
DTYPES = {"c64": (np.complex64, 1e-6), "c128": (np.complex128, 1e-14)}


def told(kernel: str, element: str, target: str, **sizes: int) -> list[str]:
    """What the pass says that it has done."""
    text = SOURCE.replace("T[", f"{element}[")
    notes = explanation.explain(text, kernel, target, sizes)["notes"]
    return [str(note) for note in notes if "take turns" in str(note)]


@pytest.mark.parametrize(
    ("kernel", "element", "shape"),
    [
        ("rows", "c128", (3, 4096)),
        ("rows", "c128", (2, 3000)),
        ("rows", "c128", (1, 8192)),
        ("rows", "c128", (1, 32768)),  # whose turns threads share out
        ("rows", "c64", (3, 4096)),
        ("rows", "c64", (2, 8190)),
        ("columns", "c128", (512, 8)),
        ("columns", "c128", (4096, 8)),
        ("columns", "c128", (512, 20)),
        ("columns", "c64", (1024, 16)),
        ("real_rows", "c128", (2, 4096)),
    ],
)
@pytest.mark.parametrize("target", [None, "portable"])
def test_equals_numpy(
    kernel: str, element: str, shape: tuple[int, int], target: str | None
) -> None:
    axis = 0 if kernel == "columns" else 1
    dtype, error = DTYPES[element]
    random = np.random.default_rng(5)
    x = (random.standard_normal(shape) + 1j * random.standard_normal(shape)).astype(dtype)
    sizes = dict(zip(("n", "b") if kernel == "columns" else ("b", "n"), shape, strict=True))
    text = SOURCE.replace("T[", f"{element}[")
    y = weft.compile(text, kernel=kernel, target=target, **sizes)(x)
    wanted = np.fft.fft(x, axis=axis)
    assert np.linalg.norm(y - wanted) <= error * np.linalg.norm(wanted)


def test_turns_are_taken() -> None:
    """Of lines by both pairs of stages; of columns by the first, and the rest is in the result."""
    assert told("rows", "c128", "avx512", b=3, n=4096)
    text = SOURCE.replace("T[", "c128[")
    arrays = explanation.explain(text, "columns", "avx512", {"n": 512, "b": 8})["arrays"]
    assert all(array["bytes"] < 65536 for array in arrays if array["memory"] == "local")
    assert told("columns", "c128", "avx512", n=512, b=8)
    assert not told("rows", "c128", "avx512", b=3, n=512)
