# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Columns that fill no vector: a few beside each point, in few rows, or a vector and a half."""

from __future__ import annotations

import numpy as np
import pytest

import weft

DTYPES = {"c64": (np.complex64, 1e-6), "c128": (np.complex128, 1e-14)}
# As one line with masks or a last vector that begins earlier, and packed; short rows; primes.
SHAPES = [
    ((64, 7), (0,)),
    ((60, 12), (0,)),
    ((5, 48, 3), (1,)),
    ((5, 48, 20), (1,)),
    ((19, 12, 2), (1,)),
    ((17, 30, 1), (1,)),
    ((12, 9, 4), (0,)),
    ((20, 24, 6), (0, 1)),
    ((8, 12, 8), (0, 1, 2)),
    ((18, 37, 5), (1,)),
    ((6, 4, 20), (2,)),
    ((2, 3, 16, 5), (2,)),
]


@pytest.mark.parametrize("element", ["c64", "c128"])
def test_shapes(target: str, element: str) -> None:
    dtype, tolerance = DTYPES[element]
    requests = []
    for shape, axes in SHAPES:
        array = f"{element}[{', '.join(map(str, shape))}]"
        source = f"kernel k(x: {array}) -> (y: {array}):\n    y = idft(x, axes={list(axes)})\n"
        requests.append((source, None, {}))
    for kernel, (shape, axes) in zip(
        weft.compile_many(requests, target=target), SHAPES, strict=True
    ):
        random = np.random.default_rng(len(shape))
        x = (random.standard_normal(shape) + 1j * random.standard_normal(shape)).astype(dtype)
        wanted = np.fft.ifftn(x.astype(np.complex128), axes=axes)
        found = kernel(x)
        error = np.linalg.norm(found - wanted) / np.linalg.norm(wanted)
        assert error <= tolerance, (shape, axes, error)
