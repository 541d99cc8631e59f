# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results that no cache holds: their lines are stored past the caches where they are whole."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from semantics.test_convolution import direct, in_layout

IMAGES, CHANNELS, FILTERS, SIDE = 24, 32, 64, 56
SOURCE = f"""
kernel layer(x: f32[{IMAGES}, {CHANNELS // 16}, {SIDE}, {SIDE}, 16], g: f32[{FILTERS}, {CHANNELS}, 3, 3]) -> (
        y: f32[{IMAGES}, {FILTERS // 16}, {SIDE}, {SIDE}, 16]):
    y = conv(x, g, pad=1, layout=nchw16c, algorithm=winograd(4))
"""  # noqa: E501
LOOKED_AT = [0, IMAGES // 2, IMAGES - 1]


@pytest.mark.parametrize("threads", [1, 2])
# Of the result's first byte from the start of a line of the cache.
@pytest.mark.parametrize("offset", [0, 16])
def test_blocked_images(threads: int, offset: int) -> None:
    random = np.random.default_rng(5)
    x = random.uniform(-1, 1, (IMAGES, CHANNELS, SIDE, SIDE)).astype(np.float32)
    g = random.uniform(-1, 1, (FILTERS, CHANNELS, 3, 3)).astype(np.float32)
    shape = (IMAGES, FILTERS // 16, SIDE, SIDE, 16)
    count = int(np.prod(shape))
    block = np.full(count + 64, 7, np.float32)
    start = (-block.ctypes.data % 64 + offset) // 4
    y = block[start : start + count].reshape(shape)
    weft.compile(SOURCE)(in_layout(x, "nchw16c"), g, out=y, threads=threads)
    wanted = in_layout(
        direct(x[LOOKED_AT].astype(np.float64), g.astype(np.float64), pad=(1, 1)), "nchw16c"
    )
    assert np.abs(y[LOOKED_AT] - wanted).max() <= 1e-5 * np.abs(wanted).max()
    assert np.all(block[:start] == 7)
    assert np.all(block[start + count :] == 7)
