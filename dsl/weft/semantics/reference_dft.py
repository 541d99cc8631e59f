# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The discrete Fourier transform by its definition: a product with the matrix of roots of unity.

The phase k*j is reduced modulo n in integers, so that every entry of the matrix is the nearest
double to the root it stands for. Beyond `LARGEST_MATRIX`, where n*n products a line are too many,
NumPy's FFT computes in double precision instead.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

LARGEST_MATRIX = 2048
# Rows of the matrix that exist at a time.
BLOCK_ROWS = 256


def dft(x: np.ndarray, axis: int, sign: int) -> np.ndarray:
    """y[k] = sum(x[j] * exp(sign*2*pi*i*j*k/n) for j) along `axis`, in complex128."""
    lines = np.moveaxis(x.astype(np.complex128), axis, -1)
    # One matrix of lines: many small products cost more in the BLAS library's threads.
    result = _lines(lines.reshape(-1, x.shape[axis]), sign)
    return np.moveaxis(result.reshape(lines.shape), -1, axis)


def _lines(x: np.ndarray, sign: int) -> np.ndarray:
    n = x.shape[-1]
    if n > LARGEST_MATRIX:
        return np.fft.fft(x) if sign < 0 else np.fft.ifft(x, norm="forward")
    w = roots_of_unity(n, sign)
    j = np.arange(n)
    y = np.empty_like(x)
    for start in range(0, n, BLOCK_ROWS):
        k = np.arange(start, min(start + BLOCK_ROWS, n))
        y[..., k] = x @ w[j[:, None] * k[None, :] % n]
    return y


@lru_cache(maxsize=64)
def roots_of_unity(n: int, sign: int) -> np.ndarray:
    """exp(sign*2*pi*i*m/n) for m < n, in extended precision and rounded once."""
    table = roots_at(np.arange(n, dtype=np.int64), n, sign)
    table.setflags(write=False)
    return table


def roots_at(m: np.ndarray, n: int, sign: int) -> np.ndarray:
    """exp(sign*2*pi*i*m/n) for integers m from 0 to n-1, in extended precision and rounded once.

    The angle is first brought into the first eighth of the circle, where sine and cosine are
    good and the roots on the axes come out exact.
    """
    eighth, rest = np.divmod(8 * m, n)
    # Odd eighths are measured back from their end.
    back = eighth % 2 == 1
    angle = np.where(back, n - rest, rest).astype(np.longdouble)
    angle *= np.longdouble("0.78539816339744830961566084581987572104929234984378") / n
    near, far = np.cos(angle), np.sin(angle)
    turns = (eighth + back) // 2 % 4
    far = np.where(back, -far, far)
    re = np.choose(turns, [near, -far, -near, far])
    im = np.choose(turns, [far, near, -far, -near])
    table = np.empty(m.shape, dtype=np.complex128)
    table.real, table.imag = re, sign * im
    return table
