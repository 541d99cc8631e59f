# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transforms behind a transpose, which they may come before: results are those of NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import weft

KERNEL = """
kernel turned[a: size, b: size, c: size](x: c128[a, b, c]) -> (y: c128[{shape}]):
    y = {body}
"""
BODIES = [
    ("dft(transpose(x, {perm}), axis=2)", lambda t: np.fft.fft(t, axis=2)),
    ("idft(transpose(x, {perm}), axis=0)", lambda t: np.fft.ifft(t, axis=0)),
    ("dft(transpose(x, {perm}), axes=[0, 2])", lambda t: np.fft.fft2(t, axes=(0, 2))),
    ("dft(transpose(x, {perm}), axis=2) * 2", lambda t: 2 * np.fft.fft(t, axis=2)),
    ("dft(transpose(x, {perm})*2, axis=1)", lambda t: np.fft.fft(2 * t, axis=1)),
]


@pytest.mark.parametrize("shape", [(5, 12, 8), (30, 60, 40)])
@pytest.mark.parametrize("perm", [(0, 2, 1), (1, 0, 2), (2, 0, 1), (2, 1, 0)])
def test_every_order(perm: tuple[int, ...], shape: tuple[int, ...]) -> None:
    random = np.random.default_rng(31)
    x = random.standard_normal((*shape, 2)).view(np.complex128)[..., 0]
    names = ", ".join("abc"[axis] for axis in perm)
    for body, wanted in BODIES:
        source = KERNEL.format(shape=names, body=body.format(perm=list(perm)))
        expected = wanted(x.transpose(perm))
        for without in ([], ["order-axes"], ["fuse"]):
            y = weft.compile(source, without=without)(x)
            assert np.linalg.norm(y - expected) <= 1e-14 * np.linalg.norm(expected)


def test_rows_of_a_result_of_columns() -> None:
    """A transform, a transpose, and another transform: one pass along each axis."""
    source = """
kernel twice[a: size, b: size](x: c64[a, b]) -> (y: c64[b, a]):
    y = dft(transpose(dft(x, axis=1)), axis=1)
"""
    x = np.random.default_rng(7).standard_normal((300, 500, 2)).astype(np.float32)
    x = x.view(np.complex64)[..., 0]
    kernel = weft.compile(source)
    expected = np.fft.fft2(x.astype(np.complex128)).T
    assert np.linalg.norm(kernel(x) - expected) <= 1e-6 * np.linalg.norm(expected)
