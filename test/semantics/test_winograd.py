# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Winograd's transforms in programs: what they compute, and which statements they become."""

from __future__ import annotations

import numpy as np
import pytest

from semantics.test_meaning import complexes, reals, run
from weft.semantics import checker, typed, winograd_points
from weft.semantics.types import Element
from weft.syntax.parser import parse


def matrix(name: str, m: int = 4, r: int = 3, element: Element = Element.F64) -> np.ndarray:
    return winograd_points.rounded(winograd_points.family(m, r).matrix(name), element)


def statements(text: str, **sizes: int) -> list[typed.Statement]:
    checked = checker.check(parse(text, "t.weft"))
    return list(checker.instantiate(checked, next(iter(checked.names())), sizes).entry.body)


BOTH_SIDES = """\
kernel f[n: size](x: f64[n, 2, 6, 6]) -> (y: f64[n, 2, 6, 6]):
    t = winograd(m=4, r=3)
    y = t.BT @ x @ t.B
"""


def test_both_sides_are_two_transforms() -> None:
    first, second = statements(BOTH_SIDES, n=3)
    assert isinstance(first, typed.WinogradTransform)
    assert isinstance(second, typed.WinogradTransform)
    assert (first.axis, second.axis) == (2, 3)
    assert np.array_equal(first.matrix, second.matrix)
    assert second.target.name == "y"
    x = reals(3, 2, 6, 6)
    np.testing.assert_allclose(run(BOTH_SIDES, x=x), matrix("BT") @ x @ matrix("B"), rtol=1e-13)


@pytest.mark.parametrize("name", winograd_points.NAMES)
def test_each_matrix_from_each_side(name: str) -> None:
    rows, columns = (dict(zip("mrn", (4, 3, 6), strict=True))[e] for e in SHAPES[name])
    x, v = reals(columns, 5), reals(columns)
    y = reals(2, rows)
    text = f"""\
kernel f(x: f64[{columns}, 5], v: f64[{columns}], y: f64[2, {rows}]) -> (
    a: f64[{rows}, 5], b: f64[{rows}], c: f64[2, {columns}]):
    t = winograd(m=4, r=3)
    a = t.{name} @ x
    b = t.{name} @ v
    c = y @ t.{name}
"""
    found, own = run(text, x=x, v=v, y=y), matrix(name)
    np.testing.assert_allclose(found["a"], own @ x, rtol=1e-13)
    np.testing.assert_allclose(found["b"], own @ v, rtol=1e-13)
    np.testing.assert_allclose(found["c"], y @ own, rtol=1e-13)


SHAPES = {"BT": "nn", "B": "nn", "G": "nr", "GT": "rn", "A": "nm", "AT": "mn"}


def test_complex_and_single_precision() -> None:
    text = """\
kernel f(x: c64[6, 2]) -> (y: c64[4, 2]):
    t = winograd(m=4, r=3)
    y = t.AT @ x
"""
    x = complexes(6, 2, dtype="complex64")
    found = run(text, x=x)
    assert found.dtype == np.complex64
    np.testing.assert_allclose(found, matrix("AT") @ x, rtol=1e-6)
    (node,) = statements(text)
    assert isinstance(node, typed.WinogradTransform)
    assert node.matrix.dtype == np.float32


def test_zero_entries_take_no_part() -> None:
    text = """\
kernel f(x: f64[4], z: c128[4]) -> (y: f64[4], w: c128[4]):
    t = winograd(m=2, r=3)
    y = t.BT @ x
    w = t.BT @ z
"""
    # BT of F(2, 3) has no entry for the last element but in its last row.
    x = np.array([1.0, 2.0, 3.0, np.inf])
    found = run(text, x=x, z=x.astype(complex))
    assert np.array_equal(found["y"], [-2, 5, 1, np.inf])
    assert np.array_equal(found["w"].real, [-2, 5, 1, np.inf])
    assert np.array_equal(found["w"].imag, np.zeros(4))


def test_integers_and_tables_become_reals() -> None:
    text = """\
kernel f(k: i32[3]) -> (y: f64[4], z: f64[4, 4]):
    y = winograd(m=2, r=3).G @ k
    t = winograd(m=2, r=3)
    z = t.A @ t.AT
"""
    found = run(text, k=np.array([1, 2, 4], "int32"))
    assert np.array_equal(found["y"], matrix("G", 2) @ [1, 2, 4])
    assert np.array_equal(found["z"], matrix("A", 2) @ matrix("AT", 2))


def test_matrices_are_tables_elsewhere() -> None:
    text = """\
kernel f[n: size](x: f32[6, n]) -> (y: f32[6, n], z: f32[3]):
    t = winograd(m=4, r=3)
    const w[i in 0:3] = t.G[1, i] * 3
    for k in 0:n, i in 0:6:
        y[i, k] = t.BT[i, i] * x[i, k]
    z = w
"""
    x = reals(6, 2, dtype="float32")
    found = run(text, x=x)
    assert np.array_equal(found["y"], np.diag(matrix("BT"))[:, None].astype("float32") * x)
    row = winograd_points.family(4, 3).matrix("G")[1]
    assert np.array_equal(found["z"], np.float32([float(3 * entry.near()) for entry in row]))


def test_points_with_roots_and_of_sizes() -> None:
    """The correlation holds by any points; m may be a size."""
    text = """\
kernel f[m: size, q: size](d: f64[m + 2], g: f64[3]) -> (y: f64[m]):
    const half = 1/2
    t = winograd(m=m, r=3, points=[0, 1, -1, sqrt(half), -sqrt(1/q)])
    y = t.AT @ ((t.G @ g) * (t.BT @ d))
"""
    d, g = reals(6), reals(3)
    found = run(text, d=d, g=g, m=4, q=2)
    np.testing.assert_allclose(found, np.correlate(d, g, "valid"), rtol=1e-12)


def test_a_convolution_by_its_transforms() -> None:
    text = """\
kernel f[c: size, k: size](d: f64[c, 6, 6], g: f64[k, c, 3, 3]) -> (y: f64[k, 4, 4]):
    t = winograd(m=4, r=3)
    u = t.G @ g @ t.GT
    v = t.BT @ d @ t.B
    p[j, a, b] = sum(u[j, i, a, b] * v[i, a, b] for i in 0:c)
    y = t.AT @ p @ t.A
"""
    d, g = reals(3, 6, 6), reals(2, 3, 3, 3)
    windows = np.lib.stride_tricks.sliding_window_view(d, (3, 3), axis=(1, 2))
    expected = np.einsum("kcrs,cabrs->kab", g, windows)
    np.testing.assert_allclose(run(text, d=d, g=g), expected, rtol=1e-11)
