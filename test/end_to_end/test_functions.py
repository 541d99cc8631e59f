# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the C library: within a few units of what NumPy makes of more digits."""

from __future__ import annotations

import numpy as np
import pytest

import weft

# A constant has the type of what it meets.
FUNCTIONS = {
    "sin(x)": lambda x, _: np.sin(x),
    "cos(x)": lambda x, _: np.cos(x),
    "log(x)": lambda x, _: np.log(x),
    "tanh(x)": lambda x, _: np.tanh(x),
    "angle(x + 3j)": lambda x, _: np.angle(x + 3j),
    "x**0.5": lambda x, _: np.power(x, 0.5),
    "x**-0.5": lambda x, _: np.power(x, -0.5),
    "x**1.5": lambda x, _: np.power(x, 1.5),
    "x**-2.5": lambda x, _: np.power(x, -2.5),
    "x**1.7": lambda x, element: x ** element(1.7),
    "x**x": lambda x, _: x**x,
    "1.5**x": lambda x, _: 1.5**x,
}
SPECIAL = [0.0, -0.0, 1.0, np.inf, -np.inf, np.nan, 1e-30, 1e30]


def compiled(expression: str, element: str, n: int, target: str) -> weft.Kernel:
    return weft.compile(
        f"kernel f(x: {element}[{n}]) -> (y: {element}[{n}]):\n    y = {expression}\n",
        target=target,
    )


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("expression", FUNCTIONS)
@pytest.mark.parametrize("n", [5, 16, 37])
def test_function(target: str, expression: str, element: str, n: int) -> None:
    """Lanes, masked lanes and what is left behind them: four units in the last place."""
    dtype = np.dtype("f4" if element == "f32" else "f8")
    x = np.random.default_rng(n).uniform(0.01, 20, n).astype(dtype)
    exact = FUNCTIONS[expression](x.astype(np.longdouble), dtype.type)
    allowed = 4 * np.spacing(np.abs(exact).astype(dtype)).astype(np.longdouble)
    found = compiled(expression, element, n, target)(x)
    assert (np.abs(found - exact) <= allowed).all()


@pytest.mark.parametrize("element", ["c64", "c128"])
@pytest.mark.parametrize("expression", ["sin", "cos", "exp", "log", "tanh", "angle"])
def test_complex_function(target: str, expression: str, element: str) -> None:
    """Made of functions of real numbers, sinh and cosh among them."""
    random = np.random.default_rng(3)
    dtype = np.dtype("c8" if element == "c64" else "c16")
    x = (random.uniform(-3, 3, 37) + 1j * random.uniform(-3, 3, 37)).astype(dtype)
    exact = getattr(np, expression)(x.astype(np.clongdouble))
    found = compiled(f"{expression}(x)", element, 37, target)(x)
    assert (np.abs(found - exact) <= 8 * np.finfo(dtype).eps * np.abs(exact)).all()


@pytest.mark.parametrize("expression", [e for e in FUNCTIONS if e != "1.5**x"])
def test_special_values(target: str, expression: str) -> None:
    x = np.array(SPECIAL * 3)
    with np.errstate(all="ignore"):
        exact = FUNCTIONS[expression](x, np.float64)
    found = compiled(expression, "f64", len(x), target)(x)
    np.testing.assert_allclose(found, exact, rtol=1e-14, atol=1e-300)


@pytest.mark.parametrize("element", ["c64", "c128"])
def test_log_near_one_and_at_the_ends(target: str, element: str) -> None:
    """Its real part was lost near 1, and infinite for numbers that are not."""
    dtype = np.dtype("c8" if element == "c64" else "c16")
    most = np.finfo(dtype).max
    x = [1 + 1e-8j, 1 + 1e-5j, 1e-5 - 1j, 0.6 + 0.8j, 1 - 1e-6 + 1e-4j, 1.5, 1e-30 + 1e-31j]
    x += [complex(most, most), complex(np.nan, np.inf), complex(-np.inf, np.nan), 0, np.nan]
    given = np.array(x, dtype)
    with np.errstate(all="ignore"):
        exact = np.log(given.astype(np.clongdouble))
    text = f"kernel f(x: {element}[{len(x)}]) -> (y: {element}[{len(x)}]):\n    y = log(x)\n"
    found = weft.compile(text, target=target)(given)
    some = np.isfinite(exact)
    assert (
        np.abs(found[some] - exact[some]) <= 8 * np.finfo(dtype).eps * np.abs(exact[some])
    ).all()
    np.testing.assert_array_equal(found.real[~some], exact.real[~some].astype(found.real.dtype))


def test_tanh_of_large_numbers_and_near_its_poles(target: str) -> None:
    x = np.array([800 + 1j, -800 + 1j, 1e-9 + 1j, 0.1 + 1.5707963267948966j, np.inf + 0j, 0])
    text = "kernel f(x: c128[6]) -> (y: c128[6]):\n    y = tanh(x)\n"
    found = weft.compile(text, target=target)(x)
    np.testing.assert_allclose(found, np.tanh(x), rtol=1e-14)


def test_angles_of_reals_and_of_all_quadrants(target: str) -> None:
    x = np.array([1.0, -1.0, 0.0, np.inf, -np.inf, np.nan, 5.0, -1e-300])
    text = (
        "kernel f(x: f64[8], z: c128[8]) -> (a: f64[8], b: f64[8]):\n"
        "    a = angle(x)\n    b = angle(z)\n"
    )
    z = np.empty(8, complex)
    z.real, z.imag = -1, x
    found = weft.compile(text, target=target)(x, z)
    np.testing.assert_array_equal(found[0], np.angle(x))
    np.testing.assert_allclose(found[1], np.angle(z), rtol=1e-15)


def test_large_angles(target: str) -> None:
    """Reduced by as many digits of pi as they need."""
    x = np.array([1e5, 1e10, 1e15, 1e22, 1e100, 1e300, -1e22, 6381956970095103.0 * 2.0**797])
    text = "kernel f(x: f64[8]) -> (s: f64[8], c: f64[8]):\n    s = sin(x)\n    c = cos(x)\n"
    found = weft.compile(text, target=target)(x)
    np.testing.assert_allclose(found[0], np.sin(x), rtol=1e-14)
    np.testing.assert_allclose(found[1], np.cos(x), rtol=1e-14)
