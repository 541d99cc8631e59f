# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions of one, two and three dimensions with few or many channels, chosen by a seed."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

SEED = 7
LAYERS = 60
CHANNELS = (1, 3, 4, 6, 8, 12, 16, 20, 24, 32, 64, 128)
FILTERS = (1, 2, 4, 8, 12, 16, 20, 24, 32, 48, 64, 128)
EXTENTS = {
    1: (14, 30, 100, 256, 1000),
    2: (4, 6, 7, 8, 10, 13, 14, 16, 20, 28, 30, 56, 64, 100),
    3: (4, 6, 8, 14, 20),
}
WINDOWS = {1: (3, 5, 7), 2: (2, 3, 3, 3, 5, 7), 3: (2, 3, 3)}
LEAST, MOST = 1e6, 4e8  # operations of a call


@dataclass(frozen=True)
class Layer:
    """Images, channels, filters, the extent of a filter and those of the results."""

    n: int
    c: int
    k: int
    r: int
    results: tuple[int, ...]
    pad: int
    layout: str

    @property
    def images(self) -> list[int]:
        return [extent + self.r - 1 - 2 * self.pad for extent in self.results]

    @property
    def operations(self) -> float:
        products = self.n * self.c * self.k * self.r ** len(self.results) * math.prod(self.results)
        return 2.0 * products

    @property
    def name(self) -> str:
        extents = "x".join(map(str, self.images))
        border = f"+{self.pad}" if self.pad else ""
        taps = "x".join([str(self.r)] * len(self.results))
        return f"{self.n} of {self.c}x{extents}{border}, {self.k} of {taps}, {self.layout}"

    def text(self, algorithm: str) -> str:
        """A kernel `layer` of it."""
        dims = len(self.results)
        pixels, results = (", ".join(map(str, e)) for e in (self.images, self.results))
        x, y = f"{self.n}, {self.c}, {pixels}", f"{self.n}, {self.k}, {results}"
        layout = ""
        if self.layout == "nhwc":
            x, y = f"{self.n}, {pixels}, {self.c}", f"{self.n}, {results}, {self.k}"
            layout = ", layout=nhwc"
        taps = ", ".join([str(self.r)] * dims)
        return (
            f"kernel layer(x: f32[{x}], g: f32[{self.k}, {self.c}, {taps}]) -> (y: f32[{y}]):\n"
            f"    y = conv(x, g, pad={self.pad}, algorithm={algorithm}{layout})\n"
        )


def chosen() -> Iterator[Layer]:
    """The same ones every time."""
    source = random.Random(SEED)
    found = 0
    while found < LAYERS:
        dims = source.choice((1, 2, 2, 2, 2, 3))
        r = source.choice(WINDOWS[dims])
        side = source.choice(EXTENTS[dims])
        results = [side] * dims
        if dims > 1 and source.random() < 0.3:
            results[-1] = side + source.choice((1, 2, side))
        layer = Layer(
            n=source.choice((1, 1, 4, 16)),
            c=source.choice(CHANNELS),
            k=source.choice(FILTERS),
            r=r,
            results=tuple(results),
            pad=source.choice((0, 0, r // 2)),
            layout=source.choice(("planes", "planes", "nhwc")) if dims == 2 else "planes",
        )
        if LEAST <= layer.operations <= MOST and min(layer.images) > 0:
            found += 1
            yield layer
