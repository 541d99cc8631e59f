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


TRANSPOSED = """
kernel transposed[a: size, b: size](x: T[a, b]) -> (y: T[b, a]):
    y = transpose(x)

kernel swapped[a: size, b: size, c: size](x: T[a, b, c]) -> (y: T[b, a, c]):
    y = transpose(x, [1, 0, 2])
"""
ELEMENTS = {"f32": np.float32, "f64": np.float64, "c64": np.complex64, "c128": np.complex128}


# 16 MB and more: whole lines, and rows that begin in the middle of one.
@pytest.mark.parametrize(
    ("name", "element", "shape"),
    [
        ("transposed", "f32", (2048, 2064)),
        ("transposed", "f64", (1500, 1502)),
        ("transposed", "c64", (1040, 2048)),
        ("transposed", "c128", (1001, 1100)),
        ("swapped", "f32", (300, 301, 50)),
        ("swapped", "f32", (512, 130, 64)),
    ],
)
def test_copies(name: str, element: str, shape: tuple[int, ...]) -> None:
    source = TRANSPOSED.replace("T[", f"{element}[")
    kernel = weft.compile(source, name)
    dtype = ELEMENTS[element]
    x = np.arange(np.prod(shape)).astype(dtype).reshape(shape)
    wanted = np.swapaxes(x, 0, 1)
    for offset in (0, 16):
        for threads in (1, 2):
            block = np.full(x.nbytes + 192, 7, np.uint8)
            start = -block.ctypes.data % 64 + 64 + offset
            y = block[start : start + x.nbytes].view(dtype).reshape(wanted.shape)
            kernel(x, out=y, threads=threads)
            assert np.array_equal(y, wanted)
            assert np.all(block[:start] == 7)
            assert np.all(block[start + x.nbytes :] == 7)
