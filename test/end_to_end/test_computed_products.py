# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of complex matrices, and of matrices that are computed where they are multiplied."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft
from conftest import runnable
from semantics.test_meaning import complexes, reals
from weft import explanation

EPSILON = {"f32": 2e-6, "c64": 2e-6, "f64": 4e-15, "c128": 4e-15}
DTYPES = {"f32": "float32", "c64": "complex64", "f64": "float64", "c128": "complex128"}

# Types of x and y, their shapes, the expression in the DSL and in NumPy.
CASES: dict[str, tuple[str, tuple[int, ...], tuple[int, ...], str, Any]] = {
    "plain": ("TT", (37, 29), (29, 45), "x @ y", lambda x, y: x @ y),
    "conjugated": (
        "TT",
        (29, 37),
        (29, 45),
        "conj(transpose(x)) @ y",
        lambda x, y: x.conj().T @ y,
    ),
    "scaled": ("TT", (37, 29), (29, 45), "(2*x + 1) @ (y - x[0, 0])", None),
    "real left": ("RT", (37, 29), (29, 45), "x @ y", lambda x, y: x @ y),
    "real right": ("TR", (37, 29), (29, 45), "x @ y", lambda x, y: x @ y),
    "reworked": ("TT", (37, 29), (29, 45), "3 * (x @ y) + x[0, 0]", None),
    "batch": ("TT", (3, 17, 29), (3, 29, 45), "x @ y", lambda x, y: x @ y),
    "one for all": ("TT", (17, 29), (5, 29, 45), "x @ y", lambda x, y: x @ y),
    "single column": ("TT", (64, 64), (64, 1), "x @ y", lambda x, y: x @ y),
    "few terms": ("TT", (64, 3), (3, 64), "x @ y", lambda x, y: x @ y),
}
NUMPY = {
    "scaled": lambda x, y: (2 * x + 1) @ (y - x[0, 0]),
    "reworked": lambda x, y: 3 * (x @ y) + x[0, 0],
}
OF_REALS = {"f32": "f32", "f64": "f64", "c64": "f32", "c128": "f64"}


def compared(case: str, element: str, target: str) -> None:
    kinds, *shapes, expression, meaning = CASES[case]
    types = [element if kind == "T" else OF_REALS[element] for kind in kinds]
    given = [
        (complexes if of.startswith("c") else reals)(*shape, dtype=DTYPES[of])
        for of, shape in zip(types, shapes, strict=True)
    ]
    wide = [a.astype(np.complex128 if a.dtype.kind == "c" else np.float64) for a in given]
    exact = (meaning or NUMPY[case])(*wide)
    text = (
        f"kernel f(x: {types[0]}{list(shapes[0])}, y: {types[1]}{list(shapes[1])})"
        f" -> (z: {element}{list(exact.shape)}):\n    z = {expression}\n"
    )
    found = weft.compile(text, target=target)(*given)
    assert np.abs(found - exact).max() <= EPSILON[element] * np.abs(exact).max()


@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize("case", CASES)
def test_products(target: str, case: str, element: str) -> None:
    compared(case, element, target)


@pytest.mark.parametrize("element", ["f32", "c128"])
@pytest.mark.parametrize("case", ["plain", "scaled", "one for all"])
def test_on_a_core_group(case: str, element: str) -> None:
    assert runnable("sw26010")
    compared(case, element, "sw26010")


def test_several_indices_a_side() -> None:
    """Rows and columns of two indices each, two terms, and a result in another order."""
    x, y = complexes(5, 6, 7, 4), complexes(4, 3, 7, 8)
    kernel = weft.compile(
        "kernel f(x: c128[5, 6, 7, 4], y: c128[4, 3, 7, 8]) -> (z: c128[8, 5, 3, 6]):\n"
        "    z[d, a, c, b] = sum(x[a, b, k, l] * y[l, c, k, d] for k in 0:7, l in 0:4)\n"
    )
    exact = np.einsum("abkl,lckd->dacb", x, y)
    np.testing.assert_allclose(kernel(x, y), exact, atol=1e-13)


def test_transforms_beside_products() -> None:
    """Steering vectors times spectra: the factor is a transform, the result is transformed back."""
    x, w = complexes(16, 64), complexes(24, 16)
    kernel = weft.compile(
        "kernel f(w: c128[24, 16], x: c128[16, 64]) -> (z: c128[24, 64]):\n"
        "    z = idft(conj(w) @ dft(x, axis=1), axis=1)\n"
    )
    exact = np.fft.ifft(w.conj() @ np.fft.fft(x, axis=1), axis=1)
    np.testing.assert_allclose(kernel(w, x), exact, atol=1e-13)


@pytest.mark.parametrize(
    ("element", "expression"),
    [("c128", "x @ y"), ("c64", "conj(x) @ y"), ("f64", "(2*x + 1) @ y"), ("f32", "x @ exp(y)")],
)
def test_have_panels(element: str, expression: str) -> None:
    """They ran at 0.05 to 0.5 of the rate of products of real numbers that lie in memory."""
    text = (
        f"kernel f(x: {element}[96, 96], y: {element}[96, 96]) -> (z: {element}[96, 96]):\n"
        f"    z = {expression}\n"
    )
    notes = explanation.explain(text, "f", "avx512", {})["notes"]
    assert any("in panels of" in note["what"] for note in notes if note["outcome"] == "decided")


def test_fixed_factor_is_computed_once() -> None:
    x, y = complexes(40, 30), complexes(30, 50)
    kernel = weft.compile(
        "kernel f(x: c128[40, 30], y: c128[30, 50]) -> (z: c128[40, 50]):\n    z = x @ conj(y)\n"
    )
    np.testing.assert_allclose(kernel.fix(y=y)(x), x @ y.conj(), atol=1e-13)
