# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions and Winograd's transforms compiled, on both targets, against windows in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft
from semantics.test_convolution import CASES, direct
from semantics.test_meaning import complexes, reals
from semantics.test_tiling import WINOGRAD
from weft.semantics import winograd_points
from weft.semantics.types import Element

UNIT = {"f32": 2.0**-24, "f64": 2.0**-53, "c64": 2.0**-24, "c128": 2.0**-53}
# Of F(6x6, 3x3), the worst that is used here.
AMPLIFICATION = 50


def data(element: str, *shape: int) -> np.ndarray:
    make = complexes if element.startswith("c") else reals
    return make(*shape, dtype=np.dtype(Element(element).numpy).name)


def near(found: np.ndarray, x: np.ndarray, g: np.ndarray, element: str, **meaning: Any) -> None:
    """Within what rounding makes of it, relative to the largest result."""
    wide = np.complex128 if element.startswith("c") else np.float64
    exact = direct(x.astype(wide), g.astype(wide), **meaning)
    allowed = UNIT[element] * AMPLIFICATION * (3 + np.sqrt(g.shape[1]))
    assert found.shape == exact.shape
    assert found.dtype == x.dtype
    assert np.abs(found - exact).max() <= allowed * np.abs(exact).max()


@pytest.mark.parametrize("element", UNIT)
@pytest.mark.parametrize(("arguments", "meaning", "image", "filters"), CASES)
def test_conv(
    target: str,
    element: str,
    arguments: str,
    meaning: dict[str, Any],
    image: tuple[int, ...],
    filters: tuple[int, ...],
) -> None:
    x, g = data(element, *image), data(element, *filters)
    n, k, h, w = direct(x, g, **meaning).shape
    text = f"""\
kernel f(x: {element}{list(image)}, g: {element}{list(filters)}) -> (y: {element}[{n}, {k}, {h}, {w}]):
    y = conv(x, g{arguments})
"""  # noqa: E501
    near(weft.compile(text, target=target)(x, g), x, g, element, **meaning)


@pytest.mark.parametrize(
    "algorithm", ["direct", "winograd(2)", "winograd(4)", "winograd(6)", "auto"]
)
@pytest.mark.parametrize(
    "sizes",
    # The last has filters whose transforms are larger than a cache.
    [
        (1, 64, 64, 14, 14),
        (2, 35, 33, 9, 21),
        (1, 1, 1, 3, 3),
        (3, 16, 5, 4, 40),
        (1, 96, 128, 8, 8),
    ],
    ids=str,
)
def test_algorithms(target: str, algorithm: str, sizes: tuple[int, ...]) -> None:
    n, c, k, h, w = sizes
    text = f"""\
kernel f(x: f32[{n}, {c}, {h}, {w}], g: f32[{k}, {c}, 3, 3]) -> (y: f32[{n}, {k}, {h}, {w}]):
    y = conv(x, g, pad=1, algorithm={algorithm})
"""
    x, g = data("f32", n, c, h, w), data("f32", k, c, 3, 3)
    near(weft.compile(text, target=target)(x, g), x, g, "f32", pad=(1, 1))


@pytest.mark.parametrize("element", UNIT)
@pytest.mark.parametrize(
    "sizes", [(1, 3, 5, 6, 6), (2, 17, 9, 11, 8), (1, 32, 48, 12, 20)], ids=str
)
def test_winograd_written_out(target: str, element: str, sizes: tuple[int, ...]) -> None:
    n, c, k, h, w = sizes
    text = WINOGRAD.replace("f64", element)
    kernel = weft.compile(text, target=target, N=n, C=c, K=k, H=h, W=w)
    x, g = data(element, n, c, h, w), data(element, k, c, 3, 3)
    near(kernel(x, g), x, g, element)


@pytest.mark.parametrize("element", UNIT)
@pytest.mark.parametrize(("m", "r"), [(2, 3), (4, 3), (6, 3), (2, 5), (1, 4)])
def test_transforms_of_an_axis(target: str, element: str, m: int, r: int) -> None:
    """Each matrix on the last and on an inner axis; extents that are no multiple of any vector."""
    count = m + r - 1
    text = f"""\
kernel f[a: size, b: size](x: {element}[a, {count}, b], z: {element}[a, b, {count}]) -> (
    y: {element}[a, {m}, b], w: {element}[a, b, {m}], v: {element}[a, {count}, b]):
    t = winograd(m={m}, r={r})
    y = t.AT @ x
    w = z @ t.A
    v = t.BT @ x
"""
    x, z = data(element, 3, count, 19), data(element, 3, 19, count)
    y, w, v = weft.compile(text, target=target, a=3, b=19)(x, z)
    made = winograd_points.family(m, r)
    at, bt = (winograd_points.rounded(made.matrix(n), Element.F64) for n in ("AT", "BT"))
    for found, exact, matrix in ((y, at @ x, at), (w, z @ at.T, at), (v, bt @ x, bt)):
        allowed = 2 * count * UNIT[element] * np.abs(matrix).sum(1).max() * np.abs(x).max()
        assert np.abs(found - exact).max() <= allowed


def test_zero_entries_take_no_part(target: str) -> None:
    text = """\
kernel f[n: size](x: f32[4, n]) -> (y: f32[4, n]):
    t = winograd(m=2, r=3)
    y = t.BT @ x
"""
    x = np.ones((4, 37), np.float32)
    x[3] = np.inf
    y = weft.compile(text, target=target, n=37)(x)
    assert np.array_equal(y, np.repeat([[0.0], [2.0], [0.0], [np.inf]], 37, axis=1))
