# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transforms whose stages before the last lie in the result: they need no array of their own."""

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
"""
DTYPES = {"c64": (np.complex64, 1e-6), "c128": (np.complex128, 1e-14)}


def compiled(kernel: str, element: str, target: str | None, **sizes: int) -> weft.Kernel:
    text = SOURCE.replace("T[", f"{element}[")
    return weft.compile(text, kernel=kernel, target=target, **sizes)


def field(element: str, *shape: int) -> np.ndarray:
    dtype, _ = DTYPES[element]
    random = np.random.default_rng(11)
    return (random.standard_normal(shape) + 1j * random.standard_normal(shape)).astype(dtype)


def check(found: np.ndarray, wanted: np.ndarray, element: str) -> None:
    assert np.linalg.norm(found - wanted) <= DTYPES[element][1] * np.linalg.norm(wanted)


# Of one block, and of several; of two stages, three and four; with lines left over.
@pytest.mark.parametrize(
    ("element", "target", "shape"),
    [
        ("c128", None, (256, 8)),
        ("c128", None, (512, 16)),
        ("c128", None, (75, 100)),
        ("c128", None, (1024, 9)),
        ("c128", "portable", (256, 8)),
        ("c64", None, (256, 16)),
        ("c64", None, (100, 24)),
    ],
)
def test_columns(element: str, target: str | None, shape: tuple[int, int]) -> None:
    x = field(element, *shape)
    wanted = np.fft.fft(x, axis=0)
    forward = compiled("columns", element, target, n=shape[0], b=shape[1])
    check(forward(x), wanted, element)
    # A result that is the input goes through an array of its own.
    forward(x, out=x)
    check(x, wanted, element)


@pytest.mark.parametrize(
    ("element", "n"), [("c128", 384), ("c128", 960), ("c128", 1155), ("c128", 4096), ("c64", 1024)]
)
def test_rows(element: str, n: int) -> None:
    x = field(element, 5, n)
    wanted = np.fft.fft(x, axis=1)
    forward = compiled("rows", element, None, b=5, n=n)
    check(forward(x), wanted, element)
    forward(x, out=x)
    check(x, wanted, element)


def test_one_block_needs_no_array() -> None:
    told = explanation.explain(
        SOURCE.replace("T[", "c128["), "columns", "avx512", {"n": 128, "b": 8}
    )
    assert {array["memory"] for array in told["arrays"]} == {"table", "argument"}
