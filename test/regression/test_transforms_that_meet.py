# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two transforms that one map reads: both chains of stages took it, and the compiler crashed."""

from __future__ import annotations

import numpy as np
import pytest

import weft

HALVES = """
kernel k[m: size, n: size](y: c128[m, n], h: c128[m, n]) -> (x: c128[m, 2*n]):
    x[:, 0:n] = dft(y, axis=1)
    x[:, n:2*n] = dft(h, axis=1)
"""
PRODUCT = """
kernel k[m: size, n: size](y: c128[m, n], h: c128[m, n]) -> (x: c128[m, n]):
    x = dft(y, axis=1) * dft(h, axis=1)
"""


def lines(n: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(n)
    parts = random.uniform(-1, 1, (2, 2, 8, n))
    made = parts[0] + 1j * parts[1]
    return made[0], made[1]


@pytest.mark.parametrize("target", ["portable", "sw26010"])
@pytest.mark.parametrize("n", [64, 100, 13])
def test_halves_of_a_result(n: int, target: str) -> None:
    y, h = lines(n)
    x = weft.compile(HALVES, target=target, m=8, n=n)(y, h)
    np.testing.assert_allclose(x, np.hstack([np.fft.fft(y), np.fft.fft(h)]), atol=1e-10)


@pytest.mark.parametrize("target", ["portable", "sw26010"])
@pytest.mark.parametrize("n", [37, 101, 64])
def test_products_of_spectra(n: int, target: str) -> None:
    y, h = lines(n)
    x = weft.compile(PRODUCT, target=target, m=8, n=n)(y, h)
    np.testing.assert_allclose(x, np.fft.fft(y) * np.fft.fft(h), atol=1e-10)
