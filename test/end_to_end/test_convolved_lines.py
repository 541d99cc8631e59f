# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lengths with a prime beyond the butterflies, whole lines by a convolution along them or not."""

from __future__ import annotations

import numpy as np
import pytest

import weft

SOURCE = """
kernel lines[n: size](a: T[n], b: T[3, n], c: T[21, n], d: T[2, 5, n]) -> (
        p: T[n], q: T[3, n], r: T[21, n], s: T[2, 5, n], t: T[3, n]):
    p = dft(a, axis=0)
    q = idft(2 * b, axis=1)
    r = dft(c, axis=1, norm=ortho)
    s = dft(d, axis=2, sign=+1)
    t = abs2(dft(b, axis=1)) + 0j
"""


# Of one prime without and with a smooth p - 1, with another factor, of two primes.
@pytest.mark.parametrize("element", ["c64", "c128"])
@pytest.mark.parametrize("length", [47, 94, 149, 254, 509, 1739])
def test_lines(length: int, element: str) -> None:
    random = np.random.default_rng(length)
    dtype = np.dtype({"c64": np.complex64, "c128": np.complex128}[element])
    arrays = [
        random.uniform(-1, 1, (*shape, length, 2)).view(np.complex128)[..., 0].astype(dtype)
        for shape in ((), (3,), (21,), (2, 5))
    ]
    found = weft.compile(SOURCE.replace("T[", element + "["), n=length)(*arrays)
    a, b, c, d = (array.astype(np.complex128) for array in arrays)
    wanted = (
        np.fft.fft(a),
        np.fft.ifft(2 * b),
        np.fft.fft(c, norm="ortho"),
        np.fft.ifft(d, norm="forward"),
        np.abs(np.fft.fft(b)) ** 2,
    )
    for got, right in zip(found, wanted, strict=True):
        error = np.linalg.norm(got - right) / np.linalg.norm(right)
        assert error <= 8 * np.finfo(dtype).eps * np.log2(length)
