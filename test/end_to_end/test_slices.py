# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transforms of arrays that no cache holds: slices and lines between stages have memory of their
own, and results are stored past the caches."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft import explanation

SPACE = """
kernel space[nz: size, ny: size, nx: size](x: T[nz, ny, nx]) -> (y: T[nz, ny, nx]):
    y = dft(x, axes=[2, 1, 0])
"""
LINES = """
kernel lines[b: size, n: size](x: T[b, n]) -> (y: T[b, n]):
    y = dft(x, axis=1)
"""
TYPES = {"c64": (np.complex64, 1e-6), "c128": (np.complex128, 1e-14)}


def field(element: str, *shape: int) -> np.ndarray:
    random = np.random.default_rng(17)
    parts = random.standard_normal((*shape, 2))
    return parts.view(np.complex128)[..., 0].astype(TYPES[element][0])


def guarded(like: np.ndarray, offset: int) -> tuple[np.ndarray, np.ndarray]:
    """An array as `like`, `offset` bytes behind a line of the cache, and the bytes around it."""
    block = np.full(like.nbytes + 256, 7, np.uint8)
    start = -block.ctypes.data % 64 + 64 + offset
    inside = block[start : start + like.nbytes].view(like.dtype).reshape(like.shape)
    return inside, np.concatenate([block[:start], block[start + like.nbytes :]])


def check(kernel: weft.Kernel, x: np.ndarray, axes: tuple[int, ...], threads: int = 1) -> None:
    wanted = np.fft.fftn(x.astype(np.complex128), axes=axes)
    bound = TYPES["c64" if x.dtype == np.complex64 else "c128"][1] * np.linalg.norm(wanted)
    for offset in (0, 16):
        y, around = guarded(x, offset)
        kernel(x, out=y, threads=threads)
        assert np.linalg.norm(y - wanted) <= bound
        assert np.all(around == 7)
    x = x.copy()
    kernel(x, out=x, threads=threads)  # in place
    assert np.linalg.norm(x - wanted) <= bound


# 17 to 34 MB: whole lines of the cache a row, and rows that begin in the middle of one.
@pytest.mark.parametrize(
    ("element", "shape", "threads"),
    [
        ("c128", (36, 128, 256), 1),
        ("c128", (70, 120, 130), 2),
        ("c128", (18, 64, 1024), 2),
        ("c64", (68, 128, 256), 2),
        ("c64", (66, 180, 182), 1),
    ],
)
def test_planes(element: str, shape: tuple[int, int, int], threads: int) -> None:
    kernel = weft.compile(SPACE.replace("T[", f"{element}["))
    check(kernel, field(element, *shape), (0, 1, 2), threads)


@pytest.mark.parametrize(
    ("element", "shape"),
    [
        ("c128", (5000, 128)),
        ("c128", (600, 1024)),
        ("c128", (601, 1001)),
        ("c64", (4200, 256)),
        ("c64", (700, 1500)),
        ("c64", (40000, 30)),
    ],
)
def test_lines(element: str, shape: tuple[int, int]) -> None:
    kernel = weft.compile(LINES.replace("T[", f"{element}["))
    check(kernel, field(element, *shape), (1,))


def test_a_plane_has_memory_of_its_own() -> None:
    told = explanation.explain(
        SPACE.replace("T[", "c128["), "space", "avx512", {"nz": 36, "ny": 128, "nx": 256}
    )
    planes = [array for array in told["arrays"] if array["bytes"] == 128 * 256 * 16]
    assert [plane["memory"] for plane in planes] == ["local"]
    (y,) = (a for a in told["arrays"] if (a["name"], a["memory"]) == ("y", "argument"))
    assert y["written"] == 2 * 36 * 128 * 256 * 16  # once a pass
