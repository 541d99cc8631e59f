# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Winograd's algorithm for every second result: F(m, r) with a stride.

With a stride of s a result's window has its elements p, p+s, .. on pixels p, p+s, ..: s sums
without a stride, each by its own F(m, r_p) on pixels and elements that are taken so. One below the
other their matrices are those of one algorithm: s*(m-1)+r products for m results, as many as the
pixels that these read, where the direct sum has m*r; 9 rather than 12 for 4 results of 3 elements,
81 rather than 144 in two dimensions. A sum of one element has no transform: it is its products.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

from weft.semantics import winograd_points
from weft.semantics.winograd_points import Family, Matrix, Surd, rational, transposed

ZERO, ONE = rational(Fraction(0)), rational(Fraction(1))
LARGEST_STRIDE = 2  # of larger ones most sums have one element, and little is saved


@dataclass(frozen=True)
class StridedFamily:
    """The matrices for `m` results, `step` pixels apart, of a filter of `r` elements."""

    m: int
    r: int
    step: int

    @property
    def n(self) -> int:
        return self.step * (self.m - 1) + self.r

    def matrix(self, name: str) -> Matrix:
        """AT, G or BT."""
        return dict(zip(("AT", "G", "BT"), self._matrices, strict=True))[name]

    @cached_property
    def _matrices(self) -> tuple[Matrix, Matrix, Matrix]:
        a: list[tuple[Surd, ...]] = []
        g: list[tuple[Surd, ...]] = []
        bt: list[tuple[Surd, ...]] = []
        for first in range(self.step):
            own = _own(self.m, len(range(first, self.r, self.step)))
            a += own["A"]
            for rows, taken, length in ((g, own["G"], self.r), (bt, own["BT"], self.n)):
                rows += (_spread(row, first, self.step, length) for row in taken)
        return transposed(tuple(a)), tuple(g), tuple(bt)


def _own(m: int, r: int) -> dict[str, Matrix]:
    """Of the sum of some elements, without a stride."""
    if r == 1:
        unit = tuple(tuple(ONE if i == j else ZERO for j in range(m)) for i in range(m))
        return {"A": unit, "G": tuple((ONE,) for _ in range(m)), "BT": unit}
    found = winograd_points.family(m, r)
    return {name: found.matrix(name) for name in ("A", "G", "BT")}


def _spread(row: tuple[Surd, ...], first: int, step: int, length: int) -> tuple[Surd, ...]:
    """A row over all pixels, or all elements, of one over those from `first` on in steps."""
    spread = [ZERO] * length
    for number, entry in enumerate(row):
        spread[first + step * number] = entry
    return tuple(spread)


@lru_cache(maxsize=64)
def family(m: int, r: int, step: int) -> Family | StridedFamily:
    return winograd_points.family(m, r) if step == 1 else StridedFamily(m, r, step)
