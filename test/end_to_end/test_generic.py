# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions, transposes and rows at data at sizes with rests, beside NumPy in higher precision.

Each kernel has parts that a small size never reaches: blocks and what is left of them, several
vectors of partial sums, tiles. Threads must not change a bit of a result.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft
from weft.semantics.types import Element

KINDS = {"f32": np.float32, "f64": np.float64, "c64": np.complex64, "c128": np.complex128}
SHAPES = [(1, 1), (3, 7), (5, 64), (37, 129), (128, 33), (257, 256), (130, 517), (700, 300)]


def numbers(element: str, shape: tuple[int, ...], seed: int = 1) -> np.ndarray:
    random = np.random.default_rng(seed)
    values = random.uniform(-1, 1, shape)
    if element.startswith("c"):
        return (values + 1j * random.uniform(-1, 1, shape)).astype(KINDS[element])
    return values.astype(KINDS[element])


def kernels(text: str, name: str, target: str) -> dict[tuple[int, int], weft.Kernel]:
    """The kernel at each shape, by one run of the C compiler."""
    requests = [(text, name, {"n": n, "m": m}) for n, m in SHAPES]
    return dict(zip(SHAPES, weft.compile_many(requests, target), strict=True))


def run(kernel: weft.Kernel, *arrays: np.ndarray) -> Any:
    one, two = kernel(*arrays, threads=1), kernel(*arrays, threads=2)
    np.testing.assert_array_equal(one, two)
    return one


@pytest.mark.parametrize("element", KINDS)
@pytest.mark.parametrize("kind", ["sum", "prod", "max", "min"])
def test_reductions(target: str, element: str, kind: str) -> None:
    if element.startswith("c") and kind in ("max", "min"):
        pytest.skip("complex numbers have no order")
    text = f"""
kernel rows[n: size, m: size](x: {element}[n, m]) -> (s: {element}[n]):
    s = {kind}(x, axis=1)

kernel columns[n: size, m: size](x: {element}[n, m]) -> (s: {element}[m]):
    s = {kind}(x, axis=0)

kernel all[n: size, m: size](x: {element}[n, m]) -> (s: {element}):
    s = {kind}(x)
"""
    wide = np.clongdouble if element.startswith("c") else np.longdouble
    for name, axis in (("rows", 1), ("columns", 0), ("all", None)):
        for shape, kernel in kernels(text, name, target).items():
            x = numbers(element, shape)
            if kind == "prod":  # neither vanishing nor exploding
                x = (1 + x / 100).astype(x.dtype)
            got = run(kernel, x)
            wanted = getattr(np, kind)(x.astype(wide), axis=axis)
            if kind in ("max", "min"):
                np.testing.assert_array_equal(got, wanted.astype(x.dtype))
                continue
            count = x.size if axis is None else x.shape[axis]
            close = 4 * np.finfo(x.dtype).eps * (count + 1) ** 0.5 * 2
            size = np.sum(np.abs(x.astype(wide)), axis=axis) if kind == "sum" else np.abs(wanted)
            assert np.all(np.abs(got - wanted) <= close * np.maximum(size, 1e-3)), (shape, name)


def test_maximum_with_nan_in_any_lane(target: str) -> None:
    text = """
kernel rows[n: size, m: size](x: f64[n, m]) -> (s: f64[n]):
    s = max(x, axis=1)

kernel columns[n: size, m: size](x: f64[n, m]) -> (s: f64[m]):
    s = min(x, axis=0)
"""
    x = numbers("f64", (130, 130))
    x[np.arange(130), np.arange(130)[::-1]] = np.nan
    x[7:] = numbers("f64", (123, 130))
    for name, wanted in (("rows", x.max(axis=1)), ("columns", x.min(axis=0))):
        got = weft.compile(text, kernel=name, target=target)(x)
        np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("element", KINDS)
def test_transposes(target: str, element: str) -> None:
    text = f"""
kernel t[n: size, m: size](x: {element}[n, m]) -> (y: {element}[m, n]):
    y = transpose(x)
"""
    for shape, kernel in kernels(text, "t", target).items():
        x = numbers(element, shape)
        np.testing.assert_array_equal(run(kernel, x), x.T)


def test_softmax(target: str) -> None:
    text = """
kernel softmax[n: size, m: size](x: f32[n, m]) -> (y: f32[n, m]):
    top[i] = max(x[i, j] for j in 0:m)
    e[i, j] = exp(x[i, j] - top[i])
    s[i] = sum(e[i, j] for j in 0:m)
    y[i, j] = e[i, j] / s[i]
"""
    for shape, kernel in kernels(text, "softmax", target).items():
        x = 10 * numbers("f32", shape)
        e = np.exp(x.astype(np.longdouble) - x.max(axis=1, keepdims=True))
        np.testing.assert_allclose(run(kernel, x), e / e.sum(axis=1, keepdims=True), rtol=3e-6)


def test_weighted_columns(target: str) -> None:
    """Work before and after the sums, which the rows that pass by are apart from."""
    text = """
kernel f[n: size, m: size](x: f64[n, m], w: f64[n], c: f64[m]) -> (y: f64[m]):
    y[j] = c[j] * sum(w[i] * (x[i, j] - c[j]) for i in 0:n) + 1
"""
    for shape, kernel in kernels(text, "f", target).items():
        x, w, c = numbers("f64", shape), numbers("f64", shape[:1], 2), numbers("f64", shape[1:], 3)
        wanted = c * (w[:, None] * (x - c)).sum(axis=0) + 1
        np.testing.assert_allclose(run(kernel, x, w, c), wanted, rtol=1e-11, atol=1e-11)


def test_results_start_at_cache_lines(target: str) -> None:
    kernel = weft.compile(
        "kernel f(x: f32[5]) -> (y: f32[5], z: f32):\n    y = x\n    z = sum(x)\n", target=target
    )
    for _ in range(5):
        y, z = kernel(np.ones(5, np.float32))
        assert y.ctypes.data % 64 == 0
        assert y.flags.writeable
        assert y.flags.c_contiguous
        assert z == 5


def test_few_columns(target: str) -> None:
    """Too few for a vector: their sums are carried side by side."""
    text = """
kernel f[n: size, m: size](x: f64[n, m], w: f64[n]) -> (s: f64[m], t: f64[m], top: f64[m]):
    s = sum(x, axis=0)
    t[j] = 2 * sum(w[i] * x[i, j] for i in 0:n) - 1
    top = max(x, axis=0)
"""
    shapes = [(n, m) for n in (1, 41) for m in (1, 2, 3, 7, 9, 15)]
    kernels = weft.compile_many([(text, "f", {"n": n, "m": m}) for n, m in shapes], target)
    for kernel, shape in zip(kernels, shapes, strict=True):
        x, w = numbers("f64", shape), numbers("f64", shape[:1], 2)
        s, t, top = kernel(x, w)
        np.testing.assert_allclose(s, x.sum(axis=0), rtol=1e-12, atol=1e-13)
        np.testing.assert_allclose(t, 2 * (w @ x) - 1, rtol=1e-12, atol=1e-13)
        np.testing.assert_array_equal(top, x.max(axis=0))


@pytest.mark.parametrize("element", KINDS)
def test_borders(target: str, element: str) -> None:
    """Remainders, conditions, both signs of steps; borders of one and of several elements."""
    text = f"""
kernel f[n: size, m: size](x: {element}[n, m]) -> (ring: {element}[n, m],
        wall: {element}[n, m], back: {element}[n, m], one: {element}[n, m]):
    ring[i in 0:n, j in 0:m] = x[(i+1) % n, (j-2) % m] - x[i, (j+5) % m]
    wall[i in 0:n, j in 0:m] = (where(i > 0 and j >= 3, x[(i-1) % n, (j-3) % m], 2)
                                + where(j < m-1, x[i, (j+1) % m], 1))
    back[i in 0:n, j in 0:m] = where(m-1-j <= 4 or i == 0, x[i, (3-j) % m], -x[i, j])
    one[i in 0:n, j in 0:m] = where(j == m//2, 7, where(j != m//3, x[i, j], 5))
"""
    shapes = [(n, m) for n in (1, 3) for m in (1, 5, 16, 17, 61, 128)]
    kernels = weft.compile_many([(text, "f", {"n": n, "m": m}) for n, m in shapes], target)
    for kernel, (n, m) in zip(kernels, shapes, strict=True):
        x = numbers(element, (n, m))
        i, j = np.arange(n)[:, None], np.arange(m)[None, :]
        left = np.where((i > 0) & (j >= 3), x[(i - 1) % n, (j - 3) % m], 2)
        right = np.where(j < m - 1, x[i, (j + 1) % m], 1)
        wanted = (
            x[(i + 1) % n, (j - 2) % m] - x[i, (j + 5) % m],
            left.astype(x.dtype) + right.astype(x.dtype),
            np.where((m - 1 - j <= 4) | (i == 0), x[i, (3 - j) % m], -x),
            np.where(j == m // 2, 7, np.where(j != m // 3, x, 5)),
        )
        for got, expected in zip(kernel(x), wanted, strict=True):
            np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("element", ["i32", "i64"])
def test_integer_quotients_and_remainders(target: str, element: str) -> None:
    """Of vectors, where these have them: by a divisor a lane, by numbers and powers of two."""
    dtype = np.dtype(Element(element).numpy)
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    edges = np.array([0, 1, -1, 7, 8, 9, -7, -8, -9, low, low + 1, high, high - 1, 62, -65], dtype)
    x, d = (values.ravel() for values in np.meshgrid(edges, edges))
    d = np.where((d == 0) | ((x == low) & (d == -1)), dtype.type(3), d)
    by = (1, 2, 8, 64, 7, 3, -3, -8, 2**30, 1000)
    outputs = [f"{name}{n}: {element}[{x.size}]" for n in range(len(by)) for name in "qr"]
    body = "".join(f"    q{n} = x // {c}\n    r{n} = x % {c}\n" for n, c in enumerate(by))
    text = (
        f"kernel f(x: {element}[{x.size}], d: {element}[{x.size}]) ->"
        f" (q: {element}[{x.size}], r: {element}[{x.size}], {', '.join(outputs)}):\n"
        f"    q = x // d\n    r = x % d\n{body}"
    )
    found = weft.compile(text, target=target)(x, d)
    for divisor, quotient, rest in zip(
        (d, *map(dtype.type, by)), found[::2], found[1::2], strict=True
    ):
        np.testing.assert_array_equal(quotient, x // divisor)
        np.testing.assert_array_equal(rest, x % divisor)
