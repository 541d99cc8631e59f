# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fields larger than the caches: elementwise work, transforms of all axes and sums over them."""

from __future__ import annotations

import numpy as np
import pytest

import weft

SOURCE = """
kernel damped[a: size, b: size, c: size](x: c128[a, b, c], f: f64[a]) -> (
        w: c128[a, b, c], y: c128[a, b, c]):
    w[i, j, k] = f[i] * x[i, j, k]
    y = dft(w, axes=[0, 1, 2])

kernel flat[a: size, b: size](x: c128[a, b], f: f64[b]) -> (w: c128[a, b], y: c128[a, b]):
    w[i, j] = f[j] * x[i, j]
    y = dft(w, axes=[0, 1], sign=+1, norm=inverse)

kernel two[a: size, b: size, c: size](x: c128[a, b, c]) -> (y: c128[a, b, c]):
    y = dft(dft(x, axes=[1, 2]), axis=0, sign=+1) + x

program steps[a: size, b: size, c: size](x: c128[a, b, c]) -> (sums: c128[3]):
    carry v = x
    for t in 0:3:
        carry v = 0.5 * v + 1
        y = dft(v, axes=[0, 1, 2])
        sums[t] = sum(y[i % a, 3*i % b, 7*i % c] for i in 0:500)
"""
# Planes of 1.2 MB and lines of lengths that vectors do not divide; rows of one vector's length.
SHAPES = [(12, 250, 300), (5, 509, 330), (600, 20, 60)]


def field(*shape: int) -> np.ndarray:
    random = np.random.default_rng(3)
    return random.uniform(-1, 1, (*shape, 2)).view(np.complex128)[..., 0]


def close(found: np.ndarray, wanted: np.ndarray) -> bool:
    return bool(np.linalg.norm(found - wanted) <= 1e-13 * np.linalg.norm(wanted))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_transformed_is_a_result_too(shape: tuple[int, ...], threads: int) -> None:
    x, factor = field(*shape), np.linspace(1, 2, shape[0])
    w, y = weft.compile(SOURCE, kernel="damped")(x, factor, threads=threads)
    wanted = factor[:, None, None] * x
    assert np.array_equal(w, wanted)
    assert close(y, np.fft.fftn(wanted))


@pytest.mark.parametrize("target", ["portable", None])
@pytest.mark.parametrize("shape", [(1000, 1024), (1025, 1026)])
def test_planes(shape: tuple[int, int], target: str | None) -> None:
    x, factor = field(*shape), np.linspace(1, 2, shape[1])
    w, y = weft.compile(SOURCE, kernel="flat", target=target)(x, factor)
    assert np.array_equal(w, factor * x)
    assert close(y, np.fft.ifft2(factor * x))


@pytest.mark.parametrize("shape", SHAPES)
def test_signs_stay_with_their_axes(shape: tuple[int, ...]) -> None:
    x = field(*shape)
    wanted = np.fft.ifft(np.fft.fftn(x, axes=(1, 2)), axis=0, norm="forward") + x
    assert close(weft.compile(SOURCE, kernel="two")(x), wanted)


@pytest.mark.parametrize("shape", SHAPES)
def test_steps_in_time(shape: tuple[int, ...]) -> None:
    x = field(*shape)
    wanted, v, i = [], x, np.arange(500)
    for _ in range(3):
        v = 0.5 * v + 1
        wanted.append(np.fft.fftn(v)[i % shape[0], 3 * i % shape[1], 7 * i % shape[2]].sum())
    assert close(weft.compile(SOURCE, kernel="steps")(x), np.array(wanted))
