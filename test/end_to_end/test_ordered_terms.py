# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums over arrays across their rows: in the order of memory, with the digits that NumPy has."""

from __future__ import annotations

import numpy as np
import pytest

import weft

TEXT = """
kernel k[n: size, m: size](x: f32[n, m], z: f32[m, n]) -> (
        turned: f32, columns: f32, squares: f32, both: f32, column: f32, largest: f32,
        inside: f32, rows: f32[n]):
    turned = sum(transpose(x))
    columns = sum(x[i, j] for j in 0:m, i in 0:n)
    squares = sum(x[i, j]*x[i, j] for j in 0:m, i in 0:n)
    both = sum(x[i, j]*z[j, i] for j in 0:m, i in 0:n)
    column = sum(x[i, m-1] for i in 0:n)
    largest = max(x[i, j] - 1 for j in 0:m, i in 0:n)
    inside = sum(x[i, j] for j in 1:m, i in 1:n)
    rows[r in 0:n] = sum(x[r, j]*x[i, j] for j in 0:m, i in 0:n)
"""


@pytest.mark.parametrize(("n", "m"), [(2, 2), (2, 3), (7, 40), (33, 17), (100, 5), (300, 64)])
def test_beside_numpy(target: str, n: int, m: int) -> None:
    random = np.random.default_rng(n + m)
    x, z = random.random((n, m), np.float32), random.random((m, n), np.float32)
    wide, other = x.astype(float), z.astype(float)
    found = weft.compile(TEXT, "k", target, n=n, m=m)(x, z)
    wanted = (
        wide.sum(),
        wide.sum(),
        (wide * wide).sum(),
        (wide * other.T).sum(),
        wide[:, -1].sum(),
        (x - 1).max(),
        wide[1:, 1:].sum(),
        wide @ wide.sum(0),
    )
    for one, right in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, right, rtol=4e-6)


@pytest.mark.parametrize("term", ["x[i, j]", "x[i, j]*x[i, j]"])
def test_millions_of_terms(target: str, term: str) -> None:
    x = np.random.default_rng(3).random((1 << 19, 9), np.float32)
    text = f"""
kernel k(x: f32[{1 << 19}, 9]) -> (all: f32, column: f32):
    all = sum({term} for j in 0:9, i in 0:{1 << 19})
    column = sum(x[i, 8] for i in 0:{1 << 19})
"""
    terms = x.astype(float) ** (2 if "*" in term else 1)
    found = weft.compile(text, target=target)(x)
    np.testing.assert_allclose(found[0], terms.sum(), rtol=2e-6)
    np.testing.assert_allclose(found[1], x[:, 8].sum(dtype=float), rtol=4e-6)


@pytest.mark.parametrize(("n", "m"), [(1, 2), (3, 4), (33, 3), (200, 2), (200, 4), (300000, 3)])
@pytest.mark.parametrize("element", ["f32", "f64", "i32", "c64"])
def test_columns_side_by_side(target: str, n: int, m: int, element: str) -> None:
    random = np.random.default_rng(n + m)
    kinds = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "c64": np.complex64}
    values = random.integers(0, 50, (n, m)) + (1j if element == "c64" else 0)
    x = values.astype(kinds[element])
    text = f"""
kernel k(x: {element}[{n}, {m}]) -> (sums: {element}[{m}], twice: {element}[{m}]):
    sums = sum(x, axis=0)
    twice[j] = sum(x[{n - 1} - i, j] + x[i, j] for i in 0:{n}) + x[0, j]
"""
    sums, twice = weft.compile(text, target=target)(x)
    np.testing.assert_allclose(sums, values.sum(0), rtol=2e-6)
    np.testing.assert_allclose(twice, 2 * values.sum(0) + values[0], rtol=2e-6)
