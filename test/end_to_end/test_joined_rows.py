# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows that lie one behind the other, as one loop over all of them, beside NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import weft

TEXT = """
kernel k[p: size, n: size, m: size](x: f32[p, n, m], z: f64[p, n, m], c: c64[p, n, m],
        b: bool[p, n, m], r: f32[m], q: f64[p]) -> (
        scaled: f32[p, n, m], kept: f32[p, n, m], above: bool[p, n, m], square: c64[p, n, m],
        rows: f32[p, n, m], planes: f64[p, n, m], steps: f64[p, n, m], some: f64[n, m]):
    scaled = x * 2 + 1
    kept = where(b, x, 0)
    above = z > 0.5
    square = c * c
    rows[h, i, j] = x[h, i, j] + r[j]
    planes[h, i, j] = z[h, i, j] * q[h]
    steps[h in 0:p, i in 0:n, j in 0:m] = z[p-1-h, i, j]
    some[i, j] = z[p-1, i, j] * 3
"""
SHAPES = [
    (1, 1, 1),
    (1, 5, 13),
    (3, 4, 1),
    (2, 3, 7),
    (3, 5, 16),
    (7, 1, 9),
    (2, 30, 31),
    (4, 8, 63),
]


@pytest.mark.parametrize("shape", SHAPES)
def test_beside_numpy(target: str, shape: tuple[int, int, int]) -> None:
    random = np.random.default_rng(sum(shape))
    p, n, m = shape
    x, z = random.random(shape, np.float32), random.random(shape)
    c = (random.random(shape) + 1j * random.random(shape)).astype(np.complex64)
    b, r, q = random.random(shape) < 0.5, random.random(m, np.float32), random.random(p)
    kernel = weft.compile(TEXT, "k", target, p=p, n=n, m=m)
    # Nothing is stored in front of or behind a result.
    kinds = ("f4", "f4", "?", "c8", "f4", "f8", "f8")
    wide = [np.zeros((p + 2, n, m), kind) for kind in kinds]
    out = [array[1:-1] for array in wide] + [np.zeros((n, m))]
    kernel(x, z, c, b, r, q, out=out)
    wanted = [
        x * 2 + 1,
        np.where(b, x, 0),
        z > 0.5,
        c * c,
        x + r,
        z * q[:, None, None],
        z[::-1],
        z[-1] * 3,
    ]
    for found, right in zip(out, wanted, strict=True):
        np.testing.assert_allclose(found, right, rtol=1e-6)
    for array in wide:
        assert not array[[0, -1]].any()


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_shared_by_threads(target: str, threads: int) -> None:
    text = """
kernel k(x: f32[3001, 33], z: f32[3001, 33]) -> (y: f32[3001, 33]):
    y = (x * 2 + z) * (x - z)
"""
    random = np.random.default_rng(5)
    x, z = random.random((3001, 33), np.float32), random.random((3001, 33), np.float32)
    kernel = weft.compile(text, "k", target)
    np.testing.assert_allclose(kernel(x, z, threads=threads), (x * 2 + z) * (x - z), atol=1e-6)
