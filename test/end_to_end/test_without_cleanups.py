# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Passes that only make programs shorter can be left out, and results stay."""

from __future__ import annotations

import numpy as np
import pytest

import weft

SOURCE = """kernel smooth[n: size](x: c128[n]) -> (y: c128[n]):
    const w[i in 0:n] = where(i < n//2, exp(-0.01*i), exp(-0.01*(n-i)))
    y = idft(dft(x, axis=0) * w, axis=0)
"""


@pytest.mark.parametrize("target", ["portable", "sw26010"])
@pytest.mark.parametrize("without", [("canonicalize",), ("cse",), ("canonicalize", "cse")])
def test_results_stay(target: str, without: tuple[str, ...]) -> None:
    n = 48
    kernel = weft.compile(SOURCE, target=target, without=without, n=n)
    x = np.random.default_rng(0).standard_normal((n, 2)).view(np.complex128)[:, 0]
    i = np.arange(n)
    w = np.exp(-0.01 * np.where(i < n // 2, i, n - i))
    wanted = np.fft.ifft(np.fft.fft(x) * w)
    assert np.abs(kernel(x) - wanted).max() <= 1e-14 * np.abs(wanted).max() * n
