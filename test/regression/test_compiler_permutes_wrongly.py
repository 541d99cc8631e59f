# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GCC 12 with AVX-512 joined such unrolled lines into a vector with two lanes exchanged."""

from __future__ import annotations

import numpy as np

import weft

SOURCE = """
kernel k[n: size](x: f64[n]) -> (y: f64[n]):
    y[i] = x[i] + x[(i+1) % n] - x[(2*i - 3) % n]
"""


def test_reads_of_three_orders(target: str) -> None:
    for n in range(8, 14):
        x = np.arange(float(n)) ** 2
        i = np.arange(n)
        expected = x + x[(i + 1) % n] - x[(2 * i - 3) % n]
        np.testing.assert_array_equal(weft.compile(SOURCE, target=target, n=n)(x), expected)
