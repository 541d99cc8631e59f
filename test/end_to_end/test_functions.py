# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the C library: within a few units of what NumPy makes of more digits."""

from __future__ import annotations

import numpy as np
import pytest

import weft

FUNCTIONS = {
    "sin(x)": np.sin,
    "cos(x)": np.cos,
    "x**0.5": np.sqrt,
    "x**-0.5": lambda x: 1 / np.sqrt(x),
    "x**1.7": lambda x: x**1.7,
    "x**x": lambda x: x**x,
    "1.5**x": lambda x: 1.5**x,
}
SPECIAL = [0.0, -0.0, 1.0, np.inf, np.nan, 1e-30, 1e30]


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("expression", FUNCTIONS)
@pytest.mark.parametrize("n", [5, 16, 37])
def test_function(target: str, expression: str, element: str, n: int) -> None:
    """Lanes, masked lanes and what is left behind them; four units, and one of each operand."""
    random = np.random.default_rng(n)
    dtype = np.dtype("f4" if element == "f32" else "f8")
    x = random.uniform(0.01, 20, n).astype(dtype)
    found = weft.compile(
        f"kernel f(x: {element}[{n}]) -> (y: {element}[{n}]):\n    y = {expression}\n",
        target=target,
    )(x)
    exact = FUNCTIONS[expression](x.astype(np.longdouble))
    # x**1.7 has the 1.7 of its type.
    rounding = 2 + 60 * ("1.7" in expression and element == "f32")
    allowed = (4 + rounding) * np.finfo(dtype).eps * np.maximum(np.abs(exact), 1e-3)
    assert (np.abs(found - exact) <= allowed).all()


@pytest.mark.parametrize("expression", ["sin(x)", "cos(x)", "x**0.5", "x**1.7", "x**x"])
def test_special_values(target: str, expression: str) -> None:
    x = np.array(SPECIAL * 3)
    found = weft.compile(
        f"kernel f(x: f64[{len(x)}]) -> (y: f64[{len(x)}]):\n    y = {expression}\n",
        target=target,
    )(x)
    with np.errstate(all="ignore"):
        exact = FUNCTIONS[expression](x)
    np.testing.assert_allclose(found, exact, rtol=1e-14, atol=1e-300)


def test_large_angles(target: str) -> None:
    """Reduced by as many digits of pi as they need."""
    x = np.array([1e5, 1e10, 1e15, 1e22, 1e100, 1e300, -1e22, 6381956970095103.0 * 2.0**797])
    text = "kernel f(x: f64[8]) -> (s: f64[8], c: f64[8]):\n    s = sin(x)\n    c = cos(x)\n"
    found = weft.compile(text, target=target)(x)
    np.testing.assert_allclose(found[0], np.sin(x), rtol=1e-14)
    np.testing.assert_allclose(found[1], np.cos(x), rtol=1e-14)
