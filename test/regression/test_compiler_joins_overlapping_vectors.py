# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GCC 12 with AVX-512 read one element of a local array wrong behind two pairs of vectors that
overlap: what was stored to it, and what was read for the turned result."""

from __future__ import annotations

import numpy as np

import weft

SOURCE = """
kernel k[b: size, n: size](x: f64[b, n]) -> (y: c128[b, n//2 + 1]):
    y = rfft(x, axis=1)
"""


def test_nine_lines_of_odd_lengths(target: str) -> None:
    requests = [(SOURCE, None, {"b": 9, "n": n}) for n in range(17, 33, 2)]
    for kernel in weft.compile_many(requests, target=target):
        x = np.random.default_rng(1).standard_normal((9, kernel.sizes["n"]))
        np.testing.assert_allclose(kernel(x), np.fft.rfft(x), atol=1e-12)
