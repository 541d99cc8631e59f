# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which transforms are measured, and how much faster than the best library they are to be."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

Goals = dict[int, float | None]  # of lengths

BATCH_BYTES = 256 * 1024  # of a batch of lines: in the second cache, beyond the first
MEMORY_BYTES = 64 * 1024 * 1024  # of a batch that no cache holds


@dataclass(frozen=True)
class Case:
    """One array and the axes that are transformed; `goal` is Weft's rate over the best peer's.

    `real` is "" of complex transforms, "forward" of real input, "back" of real output; `dtype` is
    of the complex numbers and `shape` counts those that the complex transform would have. `turned`:
    the result has its axes in the opposite order.
    """

    group: str
    kernel: str
    sizes: tuple[tuple[str, int], ...]
    axes: tuple[int, ...]
    dtype: str
    threads: int
    goal: float | None
    real: str = ""
    turned: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(size for _, size in self.sizes)

    @property
    def name(self) -> str:
        threads = f", {self.threads} threads" if self.threads > 1 else ""
        if len(self.axes) > 1:
            return f"{self.group} {'x'.join(map(str, self.shape))} {self.dtype}{threads}"
        return f"{self.group} {self.shape[self.axes[0]]} {self.dtype}{threads}"

    @property
    def flops(self) -> float:
        """Nominal, whatever the algorithm: 5 n log2 n, half of it where one side is real."""
        length = math.prod(self.shape[axis] for axis in self.axes)
        return (2.5 if self.real else 5) * math.prod(self.shape) * math.log2(length)

    @property
    def passes(self) -> int:
        """Over memory, at least: what has more than one axis is not done with one look."""
        return 1 if len(self.axes) == 1 else 2

    @property
    def bytes(self) -> int:
        """Of the larger side; half a spectrum and real numbers have as many."""
        return math.prod(self.shape) * np.dtype(self.dtype).itemsize // (2 if self.real else 1)


def _short(dtype: str) -> str:
    return {"complex128": "c128", "complex64": "c64"}[dtype]


def _lines(
    group: str, lengths: Goals, dtype: str, threads: int, size: int = BATCH_BYTES
) -> list[Case]:
    """Contiguous lines, as many as fill `size` bytes."""
    found = []
    for n, goal in lengths.items():
        count = max(1, size // (n * np.dtype(dtype).itemsize))
        sizes = (("b", count), ("n", n))
        found.append(Case(group, f"lines_{_short(dtype)}", sizes, (1,), dtype, threads, goal))
    return found


def _columns(count: int, lengths: Goals, dtype: str) -> list[Case]:
    """`count` transforms whose elements alternate in memory."""
    kernel = f"columns_{_short(dtype)}"
    return [
        Case(f"{count} interleaved", kernel, (("n", n), ("b", count)), (0,), dtype, 1, goal)
        for n, goal in lengths.items()
    ]


def _turned(lengths: list[int], dtype: str, size: int = BATCH_BYTES) -> list[Case]:
    """Lines whose results are columns, and columns whose results are lines: as many as fill `size`
    bytes."""
    found = []
    where = "in memory " if size == MEMORY_BYTES else ""
    for n in lengths:
        lines = size // (n * np.dtype(dtype).itemsize)
        for group, sizes, axis in (
            ("turned lines", (("b", lines), ("n", n)), 1),
            ("turned columns", (("n", n), ("b", lines)), 0),
        ):
            kernel = f"{group.replace(' ', '_')}_{_short(dtype)}"
            found.append(
                Case(f"{group} {where}".strip(), kernel, sizes, (axis,), dtype, 1, 1.2, turned=True)
            )
    return found


def _channels(count: int, lengths: Goals, dtype: str) -> list[Case]:
    """Lines, as many as fill BATCH_BYTES, of points that each have `count` numbers side by side."""
    kernel = f"channels_{_short(dtype)}"
    found = []
    for n, goal in lengths.items():
        lines = max(1, BATCH_BYTES // (n * count * np.dtype(dtype).itemsize))
        sizes = (("m", lines), ("n", n), ("b", count))
        found.append(Case(f"{count} channels", kernel, sizes, (1,), dtype, 1, goal))
    return found


def _images(shapes: list[tuple[int, int, int]], dtype: str) -> list[Case]:
    """Rows and columns of pixels that have several numbers each."""
    kernel = f"image_{_short(dtype)}"
    return [
        Case("image", kernel, tuple(zip(("ny", "nx", "b"), s, strict=True)), (0, 1), dtype, 1, 1.0)
        for s in shapes
    ]


def _space(shapes: dict[tuple[int, int, int], float], dtype: str, threads: int) -> list[Case]:
    kernel = f"space_{_short(dtype)}"
    found = []
    for shape, goal in shapes.items():
        sizes = tuple(zip(("nz", "ny", "nx"), shape, strict=True))
        found.append(Case("3-D", kernel, sizes, (0, 1, 2), dtype, threads, goal))
    return found


def _real(lengths: Goals, dtype: str, real: str) -> list[Case]:
    """Contiguous lines of real numbers, as many as fill BATCH_BYTES."""
    group, kernel = {
        "forward": ("real lines", "real_lines"),
        "back": ("real lines back", "real_lines_back"),
    }[real]
    found = []
    for n, goal in lengths.items():
        count = max(1, BATCH_BYTES // (n * np.dtype(dtype).itemsize // 2))
        sizes = (("b", count), ("n", n))
        kernel_of = f"{kernel}_{_short(dtype)}"
        found.append(Case(group, kernel_of, sizes, (1,), dtype, 1, goal, real))
    return found


def _planes(shapes: list[tuple[int, int]], dtype: str, real: str) -> list[Case]:
    group, kernel = {
        "forward": ("real 2-D", "real_plane"),
        "back": ("real 2-D back", "real_plane_back"),
    }[real]
    return [
        Case(
            *(group, f"{kernel}_{_short(dtype)}"),
            *((("ny", ny), ("nx", nx)), (0, 1), dtype, 1, 1.0, real),
        )
        for ny, nx in shapes
    ]


def _all(lengths: list[int], goal: float | None) -> Goals:
    return dict.fromkeys(lengths, goal)


POWERS = [16, 32, 64, 128, 256, 512]
LONG = [1024, 2048, 4096]
VERY_LONG = [1 << 14, 1 << 16, 100000, 240000, 1 << 18, 276209, 1000000, 1 << 20, 2000000, 1 << 22]
SMOOTH = [48, 60, 80, 96, 120, 160, 192, 240, 320, 384, 480, 640, 768, 960, 1280, 1536, 1920]
ODD = [3, 5, 6, 9, 10, 12, 15, 20, 25, 27, 36, 45, 100, 243, 625, 1000]
REAL = [16, 60, 64, 100, 240, 256, 1000, 1024, 4096, 1 << 16, 27, 125, 243, 31, 127, 1009]
REAL_PLANES = [(64, 64), (100, 120), (512, 512), (1024, 1024)]
IN_MEMORY = [16, 64, 100, 128, 240, 256, 512, 1000, 1024, 4096]
SMALL_PRIMES, PRIMES = [7, 11, 13], [17, 19, 23, 29, 31, 37, 61, 127, 251, 509, 1021]
PRIME_FACTORS = [34, 119, 187, 221, 391, 1022]


def cases() -> list[Case]:
    found = []
    for dtype in ("complex128", "complex64"):
        found += _lines("lines", _all(POWERS, 1.05) | _all(LONG, 1.2), dtype, 1)
        found += _lines("one long line", _all(VERY_LONG, 1.0), dtype, 1)
        for threads in (1, 2):
            goals = _all(IN_MEMORY, 1.2)
            found += _lines("memory lines", goals, dtype, threads, MEMORY_BYTES)
        found += _columns(8, _all([16, 32], 1.1) | _all([64, 128, 256], 1.4), dtype)
        found += _columns(8, _all([512, *LONG], 1.8), dtype)
        found += _columns(32, _all([64, 128, 256, 512, 1024], 1.8), dtype)
        found += _columns(7, _all([64, 240, 1024], None), dtype)
        for count in (3, 8, 12):
            found += _channels(count, _all([64, 240, 1024], 1.0), dtype)
        found += _turned([16, 64, 100, 256, 1024], dtype)
        found += _turned([64, 1024], dtype, MEMORY_BYTES)
        found += _images([(512, 512, 3), (100, 100, 5), (64, 64, 8)], dtype)
        found += _lines("lines, 3 or 5 times 2^k", _all(SMOOTH, 1.2), dtype, 1)
        found += _lines("lines, odd factors", _all(ODD, 1.0), dtype, 1)
        found += _lines("lines, primes", _all(SMALL_PRIMES, 1.5) | _all(PRIMES, 2.0), dtype, 1)
        found += _lines("lines, prime factors", _all(PRIME_FACTORS, 2.0), dtype, 1)
        cache = {(32, 32, 32): 1.6, (64, 64, 64): 1.6}
        memory = [(128, 128, 128), (256, 256, 128), (512, 256, 256)]
        found += _space(cache | dict.fromkeys(memory, 2.3), dtype, 1)
        found += _space({(60, 72, 84): 1.6, (100, 100, 100): 1.6}, dtype, 1)
        found += _space(dict.fromkeys(memory, 1.6), dtype, 2)
        for real in ("forward", "back"):
            found += _real(_all(REAL, 1.0), dtype, real)
            found += _planes(REAL_PLANES, dtype, real)
    return found
