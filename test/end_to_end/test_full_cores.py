# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs whose arrays nearly fill a core's memory, or would not fit as they come: what their
stages read beside a line was not counted, and there was an internal error."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import weft

SOURCE = """
kernel odd[b: size, n: size](x: f64[b, n]) -> (y: c128[b, n//2+1]):
    y = rfft(x, axis=1)

kernel odd_filter[b: size, n: size](x: f64[b, n], h: c128[b, n//2+1]) -> (y: f64[b, n]):
    y = irfft(rfft(x, axis=1) * h, n=n, axis=1)

kernel odd_sum[b: size, n: size](x: f64[b, n], u: f64[b, n]) -> (y: c128[b, n//2+1]):
    y = rfft(x, axis=1) + rfft(u, axis=1)

kernel odd_back[b: size, n: size](x: c128[b, n//2+1], u: c128[b, n//2+1]) -> (y: f64[b, n]):
    y = irfft(x, n=n, axis=1) + irfft(u, n=n, axis=1)

kernel convolved[b: size, n: size](x: f64[b, n], u: f64[b, n]) -> (y: f64[b, n]):
    y = irfft(rfft(x, axis=1) * rfft(u, axis=1), n=n, axis=1)

kernel columns[n: size, b: size](x: f64[n, b], h: c128[n//2+1, b]) -> (y: f64[n, b]):
    y = irfft(rfft(x, axis=0) * h, n=n, axis=0)

kernel power[b: size, n: size](x: c128[b, n], h: c128[b, n]) -> (y: f64[b, n]):
    y = abs2(dft(x * h, axis=1))

kernel rolled[b: size, n: size](x: c128[b, n], h: c128[b, n]) -> (y: c128[b, n]):
    y = dft(roll(x, 1, axis=1) * h, axis=1)

kernel added[b: size, n: size](x: c128[b, n]) -> (y: c128[b, n]):
    y = dft(x, axis=1) + x

kernel chosen[b: size, n: size](u: f32[b, n], x: c64[b, n], h: c64[b, n]) -> (y: c64[b, n]):
    y = where(u > 0.1, dft(x, axis=1), h)

kernel two[b: size, n: size](
    x: c128[128, n//2+1], q: c128[b, n//2+1]) -> (s: c128[65, n], t: f64[b, n]):
    s = rfft(irfft(x, n=n, axis=1), axis=0)
    t = irfft(q, n=n, axis=1)
"""


def drawn(random: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    numbers = random.standard_normal((2, *shape))
    return (numbers[0] + 1j * numbers[1] if dtype.kind == "c" else numbers[0]).astype(dtype)


def back(x: np.ndarray, n: int, axis: int = 1) -> np.ndarray:
    return np.fft.irfft(x, n, axis=axis)


def columns(x: np.ndarray, h: np.ndarray) -> np.ndarray:
    return back(np.fft.rfft(x, axis=0) * h, len(x), axis=0)


@pytest.mark.parametrize(
    ("name", "b", "n", "reference"),
    [
        ("odd", 8, 3125, lambda x: np.fft.rfft(x)),
        ("odd_filter", 8, 1575, lambda x, h: back(np.fft.rfft(x) * h, 1575)),
        ("odd_sum", 8, 1331, lambda x, u: np.fft.rfft(x + u)),
        ("odd_sum", 4, 1331, lambda x, u: np.fft.rfft(x + u)),
        ("odd_back", 8, 1331, lambda x, u: back(x + u, 1331)),
        ("convolved", 10, 1001, lambda x, u: back(np.fft.rfft(x) * np.fft.rfft(u), 1001)),
        ("columns", 7, 1287, columns),
        ("power", 4, 1280, lambda x, h: np.abs(np.fft.fft(x * h)) ** 2),
        ("rolled", 4, 1331, lambda x, h: np.fft.fft(np.roll(x, 1, axis=1) * h)),
        ("added", 4, 1331, lambda x: np.fft.fft(x) + x),
        ("chosen", 4, 2475, lambda u, x, h: np.where(u > np.float32(0.1), np.fft.fft(x), h)),
        ("two", 65, 383, lambda x, q: (np.fft.rfft(back(x, 383), axis=0), back(q, 383))),
    ],
)
def test_arrays_that_nearly_fill_a_core(
    name: str, b: int, n: int, reference: Callable[..., object]
) -> None:
    kernel = weft.compile(SOURCE, kernel=name, target="sw26010", b=b, n=n)
    random = np.random.default_rng(31)
    given = [drawn(random, one.shape, one.dtype) for one in kernel.inputs]
    results, wanted = kernel(*given), reference(*given)
    if not isinstance(wanted, tuple):
        results, wanted = (results,), (wanted,)
    for result, exact in zip(results, wanted, strict=True):
        bound = 1e-6 if result.dtype == np.complex64 else 1e-14
        assert np.linalg.norm(result - exact) <= bound * np.linalg.norm(exact)
    assert not kernel.report["run"]["hazards"]
