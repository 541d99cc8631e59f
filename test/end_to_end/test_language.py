# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled kernels of every construct equal the reference evaluation, on both targets."""

from __future__ import annotations

import zlib
from functools import cache

import numpy as np
import pytest

import weft
from end_to_end import combined

# name: (source, sizes); sizes include remainders of vectors, and single elements.
KERNELS: dict[str, tuple[str, dict[str, int]]] = {
    "elementwise": (
        "kernel k[N: size](x: f64[N], y: f64[N]) -> (z: f64[N]):\n    z = (x + 2*y) * x - y / 3\n",
        {"N": 37},
    ),
    "broadcast": (
        (
            "kernel k[M: size, N: size](x: f64[M, N], r: f64[N], c: f64[M, 1]) -> (z: f64[M, N]):\n"
            "    z = x * r + c\n"
        ),
        {"M": 5, "N": 21},
    ),
    "single_precision": (
        "kernel k[N: size](x: f32[N], y: f32[N]) -> (z: f32[N]):\n    z = x * y + 0.5\n",
        {"N": 41},
    ),
    "integers": (
        "kernel k[N: size](x: i64[N], y: i64[N]) -> (z: i64[N]):\n    z = x * y - x // 3 + y % 5\n",
        {"N": 29},
    ),
    "small_integers": (
        "kernel k[N: size](x: i32[N], y: i32[N]) -> (z: i32[N]):\n    z = x * y - 7\n",
        {"N": 35},
    ),
    "truth": (
        (
            "kernel k[N: size](x: f64[N], y: f64[N]) -> (b: bool[N], z: f64[N]):\n"
            "    b = x < y\n    z = where(x < y, x, -y)\n"
        ),
        {"N": 33},
    ),
    "functions": (
        (
            "kernel k[N: size](x: f64[N]) -> (a: f64[N], b: f64[N], c: f64[N], d: f64[N]):\n"
            "    a = exp(x)\n    b = sin(x)\n    c = cos(x)\n    d = sqrt(abs(x))\n"
        ),
        {"N": 27},
    ),
    "exp_f32": (
        "kernel k[N: size](x: f32[N]) -> (a: f32[N]):\n    a = exp(x)\n",
        {"N": 50},
    ),
    "complex_arithmetic": (
        (
            "kernel k[N: size](x: c128[N], y: c128[N]) -> (z: c128[N], p: f64[N]):\n"
            "    z = x * conj(y) + 2j * x - y / x\n    p = abs2(x) + real(y) * imag(x)\n"
        ),
        {"N": 23},
    ),
    "complex_single": (
        "kernel k[N: size](x: c64[N], w: c64[N]) -> (z: c64[N]):\n    z = x * w - x\n",
        {"N": 45},
    ),
    "complex_functions": (
        (
            "kernel k[N: size](x: c128[N]) -> (z: c128[N], r: f64[N]):\n"
            "    z = exp(x)\n    r = abs(x)\n"
        ),
        {"N": 19},
    ),
    "transposed": (
        "kernel k[M: size, N: size](x: f64[M, N]) -> (y: f64[N, M]):\n    y = transpose(x)\n",
        {"M": 19, "N": 26},
    ),
    "transposed_complex": (
        (
            "kernel k[A: size, B: size, C: size](x: c128[A, B, C]) -> (y: c128[C, A, B]):\n"
            "    y = transpose(x, [2, 0, 1])\n"
        ),
        {"A": 9, "B": 10, "C": 11},
    ),
    "reshaped": (
        (
            "kernel k[M: size, N: size](x: f64[M, N]) -> (y: f64[M*N]):\n"
            "    y = reshape(x, [M*N]) * 2\n"
        ),
        {"M": 6, "N": 7},
    ),
    "only_reshaped": (
        "kernel k[M: size, N: size](x: c64[M, N]) -> (y: c64[N, M]):\n    y = reshape(x, [N, M])\n",
        {"M": 6, "N": 7},
    ),
    "sliced": (
        "kernel k[N: size](x: f64[N]) -> (y: f64[N-2]):\n    y = x[0:N-2] + 2*x[1:N-1] + x[2:N]\n",
        {"N": 40},
    ),
    "stencil": (
        (
            "kernel k[N: size, M: size](x: f64[N, M]) -> (y: f64[N-2, M-2]):\n"
            "    y[i in 0:N-2, j in 0:M-2] = x[i, j+1] + x[i+2, j+1] + x[i+1, j] + x[i+1, j+2]"
            " - 4*x[i+1, j+1]\n"
        ),
        {"N": 12, "M": 27},
    ),
    "matrix_product": (
        (
            "kernel k[N: size, M: size, K: size](a: f64[N, K], b: f64[K, M]) -> (c: f64[N, M]):\n"
            "    c[i, j] = sum(a[i, k] * b[k, j] for k in 0:K)\n"
        ),
        {"N": 7, "M": 18, "K": 9},
    ),
    "complex_matrix_product": (
        (
            "kernel k[N: size, M: size, K: size](a: c128[N, K], b: c128[K, M])"
            " -> (c: c128[N, M]):\n"
            "    c[i, j] = sum(a[i, k] * b[k, j] for k in 0:K)\n"
        ),
        {"N": 5, "M": 11, "K": 6},
    ),
    "reductions": (
        (
            "kernel k[N: size, M: size](x: f64[N, M])"
            " -> (s: f64, c: f64[M], r: f64[N], p: f64[N]):\n"
            "    s = sum(x)\n    c = max(x, axis=0)\n"
            "    r = min(x, axis=1)\n    p = prod(x, axis=1)\n"
        ),
        {"N": 6, "M": 17},
    ),
    "wrapped_index": (
        (
            "kernel k[N: size](x: f64[N]) -> (y: f64[N]):\n"
            "    y[i] = x[i] + sum(x[(i + 3*j) % N] for j in 0:4)\n"
        ),
        {"N": 22},
    ),
    "table": (
        (
            "kernel k[N: size](x: c128[N]) -> (y: c128[N]):\n"
            "    const w[k in 0:N] = exp(2j*pi*k/N)\n    y = x * w\n"
        ),
        {"N": 30},
    ),
    "element_loops": (
        (
            "kernel k[N: size, M: size](x: f64[N, M]) -> (y: f64[2, N, M]):\n"
            "    for i in 0:N:\n        for j in 0:M:\n"
            "            y[0, i, j] = x[i, j] * 2\n            y[1, i, j] = x[i, j] + i - j\n"
        ),
        {"N": 5, "M": 20},
    ),
    "parts": (
        (
            "kernel k[N: size](x: f64[N]) -> (y: f64[N]):\n"
            "    y[i in 0:1] = 0.0\n    y[i in 1:N-1] = x[i-1] + x[i+1]\n    y[i in N-1:N] = 1.0\n"
        ),
        {"N": 31},
    ),
    "calls": (
        (
            "kernel halves[N: size](x: f64[2, N]) -> (s: f64[N], d: f64[N]):\n"
            "    s = x[0] + x[1]\n    d = x[0] - x[1]\n\n"
            "kernel k[N: size](x: f64[2, N]) -> (y: f64[N]):\n"
            "    a, b = halves(x)\n    y = a * b\n"
        ),
        {"N": 25},
    ),
    "two_results_of_one_value": (
        "kernel k[N: size](x: f64[N]) -> (a: f64[N], b: f64[N]):\n    a = x * 2\n    b = a\n",
        {"N": 9},
    ),
    "input_returned": (
        "kernel k[N: size](x: f64[N]) -> (a: f64[N]):\n    a = x\n",
        {"N": 9},
    ),
    "transform_between_elementwise": (
        (
            "kernel k[B: size, N: size](x: c128[B, N], w: c128[N]) -> (y: c128[B, N]):\n"
            "    y = idft(dft(x * 2, axis=1) * w, axis=1) * x\n"
        ),
        {"B": 10, "N": 48},
    ),
    "spectrum": (
        (
            "kernel k[N: size, M: size](x: c128[N, M]) -> (p: f64[N, M]):\n"
            "    p = abs2(dft(x, axis=1)) / M\n"
        ),
        {"N": 17, "M": 24},
    ),
    # One tensor read along its lines and beside them: a packed block of each.
    "two_reads_of_one_tensor": (
        (
            "kernel k[A: size, N: size](x: c64[A, N, 1]) -> (y: c64[A, N, 1]):\n"
            "    v[i, j, k] = x[i, j, (k + 6) % 1] + x[i, j, k]\n"
            "    y = dft(v, axis=1)\n"
        ),
        {"A": 16, "N": 15},
    ),
    "two_axes": (
        (
            "kernel k[A: size, B: size](x: c128[A, B]) -> (y: c128[A, B]):\n"
            "    y = dft(x, axes=[0, 1])\n"
        ),
        {"A": 20, "B": 36},
    ),
    "carried_in_a_program": (
        (
            "kernel smooth[N: size](x: f64[N]) -> (y: f64[N]):\n"
            "    y[i] = (x[i] + x[(i+1) % N]) / 2\n\n"
            "program k[N: size, T: size](x: f64[N]) -> (e: f64[T], y: f64[N]):\n"
            "    carry v = x * 1.5\n    for t in 0:T:\n        carry v = smooth(v)\n"
            "        e[t] = sum(v * v)\n    y = v\n"
        ),
        {"N": 26, "T": 4},
    ),
    "carries_exchanged": (
        (
            "program k[N: size, T: size](x: f64[N], y: f64[N]) -> (z: f64[N]):\n"
            "    carry a = x\n    carry b = y\n    for t in 0:T:\n"
            "        c = a * 3\n        carry a = b + 1\n        carry b = c\n    z = a - b\n"
        ),
        {"N": 13, "T": 3},
    ),
    "carries_swapped": (
        (
            "program k[N: size, T: size](x: f64[N], y: f64[N]) -> (z: f64[N], w: f64[N]):\n"
            "    carry a = x\n    carry b = y\n    for t in 0:T:\n        c = a\n        d = b\n"
            "        carry a = d\n        carry b = c\n    z = a\n    w = b\n"
        ),
        {"N": 13, "T": 3},
    ),
}
EPSILON = {
    "complex64": np.finfo(np.float32).eps,
    "float32": np.finfo(np.float32).eps,
    "complex128": np.finfo(np.float64).eps,
    "float64": np.finfo(np.float64).eps,
}


def random_array(rng: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind == "i":
        return rng.integers(-50, 50, shape).astype(dtype)
    values = rng.standard_normal(shape)
    if dtype.kind == "c":
        values = values + 1j * rng.standard_normal(shape)
    return values.astype(dtype)


ALL = KERNELS | combined.KERNELS


@cache
def compiled(target: str) -> dict[str, weft.Kernel]:
    """All of them in one C file: one run of the C compiler."""
    requests = [(source, "k", sizes) for source, sizes in ALL.values()]
    return dict(zip(ALL, weft.compile_many(requests, target), strict=True))


@pytest.mark.parametrize("name", ALL)
def test_equals_the_reference(target: str, name: str) -> None:
    source, sizes = ALL[name]
    kernel = compiled(target)[name]
    reference = weft.compile(source, "k", target, mode="interpret", **sizes)
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    inputs = [random_array(rng, p.shape, np.dtype(p.dtype)) for p in kernel.inputs]
    found, expected = kernel(*inputs), reference(*inputs)
    if not isinstance(found, tuple):
        found, expected = (found,), (expected,)
    for one, other in zip(found, expected, strict=True):
        one, other = np.asarray(one), np.asarray(other)
        assert one.dtype == other.dtype
        assert one.shape == other.shape
        if one.dtype.kind in "bi":
            assert np.array_equal(one, other)
        else:
            scale = max(float(np.max(np.abs(other))), 1.0)
            assert np.max(np.abs(one - other)) <= 40 * EPSILON[str(one.dtype)] * scale
