# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows that become columns, whole squares or not, copied and computed with, against NumPy."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import weft

TYPES = {"f32": "f4", "f64": "f8", "c64": "c8", "c128": "c16"}
SHAPES = [(16, 17), (17, 16), (33, 200), (150, 131), (9, 70), (40, 14), (7, 33), (70, 6), (3, 16)]
SOURCE = """
kernel copied[N: size, M: size](x: T[N, M]) -> (y: T[M, N]):
    y[j, i] = x[i, j]

kernel worked[N: size, M: size](x: T[N, M], b: T[M], c: T[N], r: T[M, N]) -> (y: T[M, N]):
    y[j, i] = max(x[i, j] * c[i] + b[j], r[j, i])
"""


def numbers(kind: str, *shape: int) -> np.ndarray:
    random = np.random.default_rng(5)
    parts = random.standard_normal(shape) + 1j * random.standard_normal(shape)
    return (parts if kind.startswith("c") else parts.real).astype(TYPES[kind])


@pytest.mark.parametrize("target", ["avx512", "avx2", "portable"])
def test_copied(target: str) -> None:
    cases = list(product(TYPES, SHAPES))
    kernels = weft.compile_many(
        [
            (SOURCE.split("\n\n")[0].replace("T[", f"{kind}["), None, {"N": n, "M": m})
            for kind, (n, m) in cases
        ],
        target=target,
    )
    for (kind, shape), kernel in zip(cases, kernels, strict=True):
        x = numbers(kind, *shape)
        np.testing.assert_array_equal(kernel(x), x.T, err_msg=f"{kind} {shape}")
        np.testing.assert_array_equal(kernel(x, threads=2), x.T, err_msg=f"{kind} {shape}")


@pytest.mark.parametrize("target", ["avx512", "avx2", "portable"])
def test_integers(target: str) -> None:
    """Rows shorter than a vector of them: nothing masks these, and the C was not to be had."""
    for kind, shape in product(["i32", "i64"], [(40, 14), (14, 40), (70, 6), (33, 200)]):
        x = np.arange(np.prod(shape)).reshape(shape).astype(kind.replace("i", "int"))
        source = SOURCE.split("\n\n")[0].replace("T[", f"{kind}[")
        kernel = weft.compile(source, target=target, N=shape[0], M=shape[1])
        np.testing.assert_array_equal(kernel(x), x.T, err_msg=f"{kind} {shape}")


AXES = [
    ((256, 251), (1, 0)),
    ((3, 1000), (1, 0)),
    ((1300, 7), (1, 0)),
    ((2, 13, 13, 17), (0, 3, 1, 2)),
    ((2, 17, 13, 13), (0, 2, 3, 1)),
    ((40, 1, 67), (2, 1, 0)),
    ((9, 33, 5, 14), (3, 1, 0, 2)),
]


@pytest.mark.parametrize("kind", TYPES)
def test_in_tiles_of_a_core(kind: str) -> None:
    for shape, axes in AXES:
        x = numbers(kind, *shape)
        wanted = x.transpose(axes)
        kernel = weft.compile(
            f"kernel turned(x: {kind}{list(shape)}) -> (y: {kind}{list(wanted.shape)}):\n"
            f"    y = transpose(x, {list(axes)})\n",
            target="sw26010",
        )
        np.testing.assert_array_equal(kernel(x), wanted, err_msg=f"{kind} {shape} {axes}")
        assert not kernel.report["run"]["hazards"]


def test_tiles_move_long_runs() -> None:
    """Columns one by one would take five times as long, and twice as many of 255 as of 256."""
    cycles = {}
    for n, m in ((1000, 64), (64, 1000), (256, 255), (256, 256)):
        kernel = weft.compile(
            "kernel turned[N: size, M: size](x: f64[N, M]) -> (y: f64[M, N]):\n"
            "    y = transpose(x, [1, 0])\n",
            target="sw26010",
            N=n,
            M=m,
        )
        kernel(numbers("f64", n, m))
        cycles[n, m] = kernel.report["run"]["cycles"]
    assert max(cycles.values()) < 200_000
    assert cycles[1000, 64] < 1.5 * cycles[64, 1000]
    assert cycles[256, 255] < 1.1 * cycles[256, 256]


@pytest.mark.parametrize("target", ["avx512", "avx2", "portable"])
def test_worked_on(target: str) -> None:
    cases = list(product(["f32", "f64"], SHAPES))
    kernels = weft.compile_many(
        [(SOURCE.replace("T[", f"{kind}["), "worked", {"N": n, "M": m}) for kind, (n, m) in cases],
        target=target,
    )
    for (kind, (n, m)), kernel in zip(cases, kernels, strict=True):
        x, b, c, r = (numbers(kind, *shape) for shape in ((n, m), (m,), (n,), (m, n)))
        wanted = np.maximum(x.T * c + b[:, None], r)
        for threads in (1, 2):
            found = kernel(x, b, c, r, threads=threads)
            np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)
