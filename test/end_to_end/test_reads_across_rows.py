# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What reads columns of a large array, and does more than turn it, goes in tiles."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import weft

Array = np.ndarray
CASES: dict[str, Callable[[Array], Array]] = {
    "y[i in 0:m, j in 0:n] = x[j, i]*2": lambda x: 2 * x.T,
    "y[i in 0:m, j in 0:n] = x[j, m-1-i]": np.rot90,
    "y[i in 0:m, j in 0:n] = x[n-1-j, i] + x[j, i]": lambda x: (x[::-1] + x).T,
    "y = roll(transpose(x), 5, axis=0)": lambda x: np.roll(x.T, 5, axis=0),
    "y = pad(transpose(x)[0:m-1, 0:n-1], [1, 1], [0, 0])": lambda x: np.pad(
        x.T[:-1, :-1], ((1, 0), (1, 0))
    ),
}


@pytest.mark.parametrize("element", ["f32", "f64", "c64", "c128", "i32"])
@pytest.mark.parametrize("shape", [(600, 130), (545, 64), (1030, 70), (64, 900)])
def test_columns(element: str, shape: tuple[int, int]) -> None:
    n, m = shape
    random = np.random.default_rng(3)
    x = random.integers(-9, 9, shape).astype(
        {"f32": "f4", "f64": "f8", "c64": "c8", "c128": "c16", "i32": "i4"}[element]
    )
    for body, wanted in CASES.items():
        source = f"kernel f[n: size, m: size](x: {element}[n, m]) -> (y: {element}[m, n]):\n"
        kernel = weft.compile(source + f"    {body}\n", n=n, m=m)
        for threads in (1, 2):
            np.testing.assert_array_equal(kernel(x, threads=threads), wanted(x))


def test_both_ways() -> None:
    source = "kernel f[n: size](x: c128[n, n]) -> (y: c128[n, n]):\n    y = (x + transpose(x))/2\n"
    random = np.random.default_rng(4)
    x = random.standard_normal((700, 700)) + 1j * random.standard_normal((700, 700))
    kernel = weft.compile(source, n=700)
    np.testing.assert_array_equal(kernel(x), (x + x.T) / 2)
    assert "+= 64) {" in kernel.asm["c"]
