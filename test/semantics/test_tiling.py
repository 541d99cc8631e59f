# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pad, tiles, untile against NumPy, on every element type, and the maps they become."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from semantics.test_meaning import reals, run
from weft.semantics import checker, typed
from weft.syntax.parser import parse

DTYPES = {
    "f32": "float32",
    "f64": "float64",
    "c64": "complex64",
    "c128": "complex128",
    "i32": "int32",
    "i64": "int64",
    "bool": "bool",
}


def ordinal(*shape: int, dtype: str = "float64") -> np.ndarray:
    """1, 2, 3, ...: each element tells where it came from."""
    values = np.arange(1, 1 + np.prod(shape)).reshape(shape)
    return values % 3 == 1 if dtype == "bool" else values.astype(dtype)


def tiled(
    x: np.ndarray, size: tuple[int, ...], step: tuple[int, ...], cover: tuple[int, ...]
) -> np.ndarray:
    """By its definition, element by element of the tiles."""
    first, count = x.ndim - len(size), [-(-c // s) for c, s in zip(cover, step, strict=True)]
    result = np.zeros((*x.shape[:first], *count, *size), x.dtype)
    for at in itertools.product(*map(range, [*count, *size])):
        place = [s * a + i for s, a, i in zip(step, at, at[len(size) :], strict=False)]
        if all(p < n for p, n in zip(place, x.shape[first:], strict=True)):
            result[(..., *at)] = x[(..., *place)]
    return result


@pytest.mark.parametrize("element", DTYPES)
def test_pad_of_every_type(element: str) -> None:
    text = f"kernel f[n: size](x: {element}[2, n]) -> (y: {element}[4, n+2]):\n    y = pad(x, 1)\n"
    x = ordinal(2, 3, dtype=DTYPES[element])
    assert np.array_equal(run(text, x=x), np.pad(x, 1))


@pytest.mark.parametrize(
    ("arguments", "widths", "value"),
    [
        ("[1, 2]", [(0, 0), (1, 1), (2, 2)], 0),
        ("[1, 0], [0, 3]", [(0, 0), (1, 0), (0, 3)], 0),
        ("0, after=[1, 0, 2], value=7", [(0, 1), (0, 0), (0, 2)], 7),
        ("[n], value=-0.5", [(0, 0), (0, 0), (4, 4)], -0.5),
        ("0", [(0, 0)] * 3, 0),
        ("[1], [0], value=s", [(0, 0), (0, 0), (1, 0)], 2.5),
        ("1, value=1/0.5", [(1, 1)] * 3, 2),
    ],
)
def test_pad(arguments: str, widths: list[tuple[int, int]], value: float) -> None:
    x = ordinal(2, 3, 4)
    expected = np.pad(x, widths, constant_values=value)
    shape = ", ".join(map(str, expected.shape))
    text = f"""\
kernel f[n: size](x: f64[2, 3, n], s: f64) -> (y: f64[{shape}]):
    y = pad(x, {arguments})
"""
    assert np.array_equal(run(text, x=x, s=np.array(2.5)), expected)


def test_pad_gives_each_element_once() -> None:
    """Five boxes of a plane: above, below, left, right and the tensor itself."""
    text = "kernel f[n: size](x: f64[n, n]) -> (y: f64[n+2, n+2]):\n    y = pad(x, 1)\n"
    checked = checker.check(parse(text, "t.weft"))
    body = checker.instantiate(checked, "f", {"n": 3}).entry.body
    assert [type(s) for s in body] == [typed.Map] * 5
    counts = [np.prod([loop.extent for loop in s.loops]) for s in body if isinstance(s, typed.Map)]
    assert counts == [5, 5, 3, 3, 9]


@pytest.mark.parametrize("element", DTYPES)
def test_tiles_and_back_of_every_type(element: str) -> None:
    text = f"""\
kernel f[n: size](x: {element}[2, n]) -> (t: {element}[2, (n+2)//3, 3], y: {element}[2, n]):
    p = tiles(x, size=[3])
    t = p
    y = untile(p, crop=[n])
"""
    for n in (1, 3, 7):
        x = ordinal(2, n, dtype=DTYPES[element])
        found = run(text, x=x)
        assert np.array_equal(found["t"], tiled(x, (3,), (3,), (n,)))
        assert np.array_equal(found["y"], x)


@pytest.mark.parametrize(
    ("h", "w", "size", "step", "cover"),
    [
        (6, 6, (6, 6), (4, 4), (4, 4)),
        (10, 7, (6, 6), (4, 4), (8, 5)),
        (9, 13, (4, 4), (2, 2), (7, 11)),
        (5, 5, (3, 2), (2, 1), (5, 5)),
        (5, 8, (1, 8), (1, 8), (5, 8)),
        (3, 4, (6, 6), (4, 4), (1, 2)),
    ],
)
def test_overlapping_tiles(
    h: int, w: int, size: tuple[int, ...], step: tuple[int, ...], cover: tuple[int, ...]
) -> None:
    counts = [-(-c // s) for c, s in zip(cover, step, strict=True)]
    shape = ", ".join(map(str, (*counts, *size)))
    text = f"""\
kernel f[n: size](x: f64[n, {h}, {w}]) -> (y: f64[n, {shape}]):
    y = tiles(x, size={list(size)}, step={list(step)}, cover={list(cover)})
"""
    x = ordinal(2, h, w)
    assert np.array_equal(run(text, x=x), tiled(x, size, step, cover))


def test_cover_is_what_whole_tiles_reach() -> None:
    """Without cover= every start of a whole tile is covered, as a convolution needs it."""
    text = """\
kernel f[h: size](x: f64[h]) -> (y: f64[(h+1)//4, 6]):
    y = tiles(x, size=[6], step=[4])
"""
    for h in range(6, 15):
        assert np.array_equal(run(text, x=ordinal(h)), tiled(ordinal(h), (6,), (4,), (h - 2,)))


@pytest.mark.parametrize("crop", [(8, 6), (7, 5), (1, 1), (4, 3), (5, 6)])
def test_untile_crops(crop: tuple[int, int]) -> None:
    text = f"""\
kernel f[k: size](p: f64[k, 2, 2, 4, 3]) -> (y: f64[k, {crop[0]}, {crop[1]}]):
    y = untile(p, step=[4, 3], crop=[{crop[0]}, {crop[1]}])
"""
    p = ordinal(3, 2, 2, 4, 3)
    whole = p.transpose(0, 1, 3, 2, 4).reshape(3, 8, 6)
    assert np.array_equal(run(text, p=p), whole[:, : crop[0], : crop[1]])


def test_whole_tiles_by_step_alone() -> None:
    text = "kernel f(p: f64[2, 3, 4, 5]) -> (y: f64[8, 15]):\n    y = untile(p, step=[4, 5])\n"
    p = ordinal(2, 3, 4, 5)
    assert np.array_equal(run(text, p=p), p.transpose(0, 2, 1, 3).reshape(8, 15))


def test_parts_of_expressions() -> None:
    """Padded and tiled tensors stand in expressions, loops and index notation."""
    text = """\
kernel f[n: size](x: f64[n]) -> (y: f64[n], z: f64[n//2], w: f64[n//2]):
    const ramp[i in 0:n] = i
    y = pad(x, [1], [0])[0:n] + pad(x, [0], [1])[1:n+1] + pad(ramp, 1)[1:n+1]
    t = tiles(x, size=[2])
    z[a] = t[a, 0] - t[a, 1]
    for a in 0:n//2:
        w[a] = sum(tiles(x, size=[2])[a, i] for i in 0:2)
"""
    x = reals(6)
    found = run(text, x=x)
    shifted = np.concatenate([[0], x[:-1]]) + np.concatenate([x[1:], [0]])
    np.testing.assert_allclose(found["y"], shifted + np.arange(6), rtol=1e-15)
    assert np.array_equal(found["z"], x[::2] - x[1::2])
    np.testing.assert_allclose(found["w"], x[::2] + x[1::2], rtol=1e-15)


WINOGRAD = """\
kernel conv3x3[N: size, C: size, K: size, H: size, W: size](
    x: f64[N, C, H, W], g: f64[K, C, 3, 3]) -> (y: f64[N, K, H-2, W-2]):
    t = winograd(m=4, r=3)
    v = t.BT @ tiles(x, size=[6, 6], step=[4, 4], cover=[H-2, W-2]) @ t.B
    u = t.G @ g @ t.GT
    p[n, k, a, b, i, j] = sum(u[k, c, i, j] * v[n, c, a, b, i, j] for c in 0:C)
    y = untile(t.AT @ p @ t.A, step=[4, 4], crop=[H-2, W-2])
"""


@pytest.mark.parametrize(("h", "w"), [(6, 6), (3, 3), (8, 11), (9, 6), (4, 14)])
def test_winograd_convolution_is_the_direct_one(h: int, w: int) -> None:
    x, g = reals(2, 3, h, w), reals(4, 3, 3, 3)
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(2, 3))
    expected = np.einsum("kcrs,nchwrs->nkhw", g, windows)
    np.testing.assert_allclose(run(WINOGRAD, x=x, g=g), expected, rtol=1e-10, atol=1e-11)
