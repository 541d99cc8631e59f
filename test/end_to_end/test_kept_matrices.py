# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops over time in which every core reads all rows, or sums them up, beside the same in NumPy.

Matrices by vectors, pairs of particles, gradients: their fields stay with the cores of the SW26010.
"""

from typing import Any

import numpy as np
import pytest

from end_to_end.fields import run

rng = np.random.default_rng(11)
NUMBERS = {"f64": "f8", "f32": "f4", "c128": "c16", "c64": "c8"}


def near(got: Any, expected: Any, element: str = "f64") -> None:
    single = element in ("f32", "c64")
    top = np.max(np.abs(expected))
    np.testing.assert_allclose(got, expected, rtol=0, atol=top * (2e-4 if single else 1e-12))


def some(element: str, *shape: int) -> np.ndarray[Any, Any]:
    x = rng.standard_normal(shape)
    if element[0] == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(NUMBERS[element])


@pytest.mark.parametrize(
    ("n", "element"),
    [
        (256, "f64"),
        (200, "f64"),
        (127, "f64"),
        (65, "f32"),
        (100, "f32"),
        (64, "c128"),
        (96, "c64"),
    ],
)
def test_power_iteration(n: int, element: str) -> None:
    a, x = some(element, n, n), some(element, n)
    got = run(
        f"program power(a: {element}[{n}, {n}], x: {element}[{n}]) -> (y: {element}[{n}]):\n"
        "    carry v = x\n"
        "    for t in 0:6:\n"
        "        w = a @ v\n"
        "        carry v = w / sqrt(sum(abs2(w)))\n"
        "    y = v\n",
        a,
        x,
    )
    v = x.astype("c16" if element[0] == "c" else "f8")
    for _ in range(6):
        v = a @ v
        v = v / np.linalg.norm(v)
    near(got, v, element)


@pytest.mark.parametrize("n", [64, 120, 200])
def test_rank_of_pages(n: int) -> None:
    """A vector by a matrix: cores have columns of it, which are lanes where there are four."""
    a = rng.random((n, n)) / n
    b = rng.random(n)
    got = run(
        f"program rank(a: f64[{n}, {n}], b: f64[{n}]) -> (y: f64[{n}]):\n"
        "    carry v = b\n"
        "    for t in 0:8:\n"
        f"        carry v = 0.85*(v @ a) + 0.15/{n}\n"
        "    y = v\n",
        a,
        b,
    )
    v = b
    for _ in range(8):
        v = 0.85 * (v @ a) + 0.15 / n
    near(got, v)


@pytest.mark.parametrize(("n", "dims"), [(128, 3), (101, 2)])
def test_pairs_of_particles(n: int, dims: int) -> None:
    x, v, m = rng.standard_normal((n, dims)), rng.standard_normal((n, dims)), rng.random(n)
    got, energy = run(
        f"program pairs(x0: f64[{n}, {dims}], v0: f64[{n}, {dims}], m: f64[{n}])"
        f" -> (y: f64[{n}, {dims}], e: f64[5]):\n"
        "    carry x = x0\n"
        "    carry v = v0\n"
        "    for t in 0:5:\n"
        f"        d[i, j] = sum((x[j, k] - x[i, k])**2 for k in 0:{dims}) + 0.01\n"
        "        w[i, j] = m[j] / (d[i, j] * sqrt(d[i, j]))\n"
        f"        a[i, k] = sum(w[i, j] * (x[j, k] - x[i, k]) for j in 0:{n})\n"
        "        carry v = v + 0.01*a\n"
        "        carry x = x + 0.01*v\n"
        "        e[t] = sum(v*v)\n"
        "    y = x\n",
        x,
        v,
        m,
    )
    energies = []
    for _ in range(5):
        apart = x[None] - x[:, None]
        d = np.sum(apart**2, axis=2) + 0.01
        v = v + 0.01 * np.einsum("ij,ijk->ik", m / (d * np.sqrt(d)), apart)
        x = x + 0.01 * v
        energies.append(np.sum(v * v))
    near(got, x)
    near(energy, energies)


def test_row_of_a_step() -> None:
    """Each step reads another row of all."""
    d = rng.random((64, 64))
    got = run(
        "program shortest(d: f64[64, 64]) -> (y: f64[64, 64]):\n"
        "    carry u = d\n"
        "    for k in 0:64:\n"
        "        w[i, j] = min(u[i, j], u[i, k] + u[k, j])\n"
        "        carry u = w\n"
        "    y = u\n",
        d,
    )
    u = d
    for k in range(64):
        u = np.minimum(u, u[:, k, None] + u[None, k])
    np.testing.assert_array_equal(got, u)


@pytest.mark.parametrize(("n", "d"), [(1000, 16), (641, 5)])
def test_gradients(n: int, d: int) -> None:
    x, y, b = rng.standard_normal((n, d)), rng.standard_normal(n), rng.standard_normal(d)
    got = run(
        f"program fit(x: f64[{n}, {d}], y: f64[{n}], b: f64[{d}]) -> (w: f64[{d}]):\n"
        "    carry v = b\n"
        "    for t in 0:10:\n"
        "        e = 1/(1 + exp(-(x @ v))) - y\n"
        f"        carry v = v - 0.1*(e @ x)/{n}\n"
        "    w = v\n",
        x,
        y,
        b,
    )
    for _ in range(10):
        b = b - 0.1 * ((1 / (1 + np.exp(-(x @ b))) - y) @ x) / n
    near(got, b)


def test_means_of_clusters() -> None:
    x = rng.standard_normal((500, 3))
    got = run(
        "program means(x: f64[500, 3], c: f64[6, 3]) -> (y: f64[6, 3]):\n"
        "    carry q = c\n"
        "    for t in 0:5:\n"
        "        d[i, j] = sum((x[i, l] - q[j, l])**2 for l in 0:3)\n"
        "        least = min(d, axis=1)\n"
        "        w[i, j] = where(d[i, j] <= least[i], 1.0, 0.0)\n"
        "        s = transpose(w) @ x\n"
        "        carry q = s / reshape(max(sum(w, axis=0), 1.0), [6, 1])\n"
        "    y = q\n",
        x,
        x[:6],
    )
    q = x[:6]
    for _ in range(5):
        d = np.sum((x[:, None] - q) ** 2, axis=2)
        w = (d <= d.min(axis=1, keepdims=True)) * 1.0
        q = (w.T @ x) / np.maximum(w.sum(axis=0), 1)[:, None]
    near(got, q)


@pytest.mark.parametrize(("n", "element"), [(1500, "i32"), (1501, "i64"), (1500, "f32")])
def test_rows_of_the_other_end(n: int, element: str) -> None:
    """Numbers that are no f64, of rows that cores share or do not."""
    x = rng.integers(-50, 50, n).astype({"i32": "i4", "i64": "i8", "f32": "f4"}[element])
    got = run(
        f"program ends(x: {element}[{n}]) -> (y: {element}[{n}]):\n"
        "    carry v = x\n"
        "    for t in 0:200:\n"
        f"        w[i in 0:{n}] = max(v[{n - 1}-i], v[i] - 1)\n"
        "        carry v = w\n"
        "    y = v\n",
        x,
    )
    for _ in range(200):
        x = np.maximum(x[::-1], x - 1)
    np.testing.assert_array_equal(got, x)


def test_matrix_without_room() -> None:
    """One that all cores together do not hold stays in memory, and the vector with it."""
    a, x = rng.random((900, 900)) / 900, rng.random(900)
    got = run(
        "program f(a: f64[900, 900], x: f64[900]) -> (y: f64[900]):\n"
        "    carry v = x\n"
        "    for t in 0:2:\n"
        "        carry v = a @ v\n"
        "    y = v\n",
        a,
        x,
        kept=False,
    )
    near(got, a @ (a @ x))
