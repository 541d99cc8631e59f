# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows and columns that the iterations of a program's loop give to its outputs."""

from __future__ import annotations

import numpy as np
import pytest

import weft

SOURCE = """\
program p[n: size, m: size](x: T[n, m]) -> (y: T[SHAPE]):
    carry s = 0*x[0]
    for t in 0:n:
        carry s = s + x[t]
        GIVEN
"""
N, M = 5, 7


def sums(x: np.ndarray) -> np.ndarray:
    return np.cumsum(x, axis=0, dtype=x.dtype)


GIVEN = {
    "a row": ("n, m", "y[t] = s", sums),
    "index notation": ("n, m", "y[t, i] = 2*s[i]", lambda x: 2 * sums(x)),
    "a range of its own": ("n, m", "y[t, i in 0:m] = s[m-1-i]", lambda x: sums(x)[:, ::-1]),
    "backwards": ("n, m", "y[n-1-t, :] = s", lambda x: sums(x)[::-1]),
    "a column": ("m, n", "y[:, t] = s", lambda x: sums(x).T),
    "a plane": (
        "n, m, m",
        "y[t, i, j] = s[i] * s[j]",
        lambda x: sums(x)[:, :, None] * sums(x)[:, None, :],
    ),
    "between": (
        "m, n, m",
        "y[:, t, :] = s",
        lambda x: np.broadcast_to(sums(x)[None], (M, N, M)),
    ),
    "a number": (
        "n, m",
        "y[t] = s[0]",
        lambda x: np.broadcast_to(sums(x)[:, :1], (N, M)),
    ),
    "two rows": (
        "2*n, m",
        "y[2*t] = s\n        y[2*t+1] = x[t]",
        lambda x: np.stack([sums(x), x], axis=1).reshape(2 * N, M),
    ),
}


def example(element: str) -> np.ndarray:
    random = np.random.default_rng(3)
    x = random.integers(-9, 9, (N, M))
    return x.astype({"f64": "f8", "c64": "c8", "i32": "i4"}[element])


@pytest.mark.parametrize("element", ["f64", "c64", "i32"])
@pytest.mark.parametrize("name", GIVEN)
@pytest.mark.parametrize("target", ["avx512", "portable"])
def test_rows(target: str, name: str, element: str) -> None:
    shape, given, expected = GIVEN[name]
    text = SOURCE.replace("SHAPE", shape).replace("T[", f"{element}[").replace("GIVEN", given)
    x = example(element)
    for kernel in (
        weft.compile(text, target=target, n=N, m=M),
        weft.compile(text, mode="interpret", n=N, m=M),
    ):
        # Small whole numbers: exact in all types.
        np.testing.assert_array_equal(kernel(x), expected(x))


@pytest.mark.parametrize("name", ["a row", "a column", "a plane"])
def test_rows_on_the_core_group(name: str) -> None:
    shape, given, expected = GIVEN[name]
    text = SOURCE.replace("SHAPE", shape).replace("T[", "c64[").replace("GIVEN", given)
    x = example("c64")
    kernel = weft.compile(text, target="sw26010", n=N, m=M)
    np.testing.assert_array_equal(kernel(x), expected(x))
    assert kernel.report["run"]["hazards"] == []


def test_a_row_costs_what_it_holds() -> None:
    """Each iteration writes its row, not all of them."""
    text = SOURCE.replace("SHAPE", "n, m").replace("T[", "f64[").replace("GIVEN", "y[t] = s")
    kernel = weft.compile(text, target="portable", n=100, m=64)
    assert kernel.report["bytes"]["arguments_written"] == 100 * 64 * 8
