# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Winograd's matrices by the method of Cook and Toom, exactly.

For n-1 different finite points p and the point at infinity, n = m + r - 1, let M(x) = prod(x - p).
A polynomial of degree n-1 is known by its values at the points and by its leading coefficient (its
value at infinity); Lagrange's interpolation gives its coefficients. Multiplication of polynomials
by evaluation, product and interpolation, transposed, is the correlation

    y[i] = sum(g[j] * d[i+j] for j in 0:r),  y = AT @ ((G @ g) * (BT @ d))

with a row for each point: p^0, p^1, ... in A (m of them) and, divided by M'(p), in G (r of them),
and the coefficients of M(x)/(x-p) in BT. Infinity has the leading coefficient in A and in G and
those of M(x) in BT.

A point is a rational number or a root of one, and roots come in pairs +q, -q. Then M(x) is rational
and a row knows no root but its own: all arithmetic is in Q or in one Q(sqrt q), and exact. Signs
are such that G begins with positive numbers, as in Lavin and Gray's F(2, 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import isqrt
from typing import Protocol

import numpy as np

from weft.semantics import consts
from weft.semantics.types import Element

LARGEST = 16
"""Largest n. Far below, f64 has lost all digits already."""
MAX_PART = 1 << 16
"""Largest numerator and denominator of a point or of what a root is taken of."""
ROOT_BITS = 512
NAMES = ("BT", "B", "G", "GT", "A", "AT")

# The positive halves of pairs, by the number of finite points, 0 among them if it is odd: those
# that lose the fewest digits, found by bench/winograd/points.py (docs/decisions/0019-points.md).
_PAIRS = {
    2: "1",
    3: "1",
    4: "3/8 5/4",
    5: "5/8 13/8",
    6: "1/4 7/8 7/4",
    7: "1/2 1 2",
    8: "1/4 3/4 9/8 2",
    9: "3/8 7/8 5/4 9/4",
    10: "1/4 5/8 7/8 11/8 19/8",
    11: "3/8 5/8 1 3/2 3",
    12: "1/8 1/2 3/4 9/8 3/2 13/4",
    13: "3/8 5/8 7/8 9/8 13/8 3",
    14: "1/8 1/2 3/4 1 9/8 7/4 13/4",
    15: "1/4 1/2 7/8 1 5/4 15/8 29/8",
}


@dataclass(frozen=True)
class Surd:
    """rational + factor * sqrt(root); `root` is squarefree and above 1, or 0 in a rational number.

    Operands of one operation have one root, or none.
    """

    rational: Fraction
    factor: Fraction = Fraction(0)
    root: int = 0

    def __post_init__(self) -> None:
        if not self.factor:
            object.__setattr__(self, "root", 0)

    def _root(self, other: Surd) -> int:
        assert not (self.root and other.root) or self.root == other.root
        return self.root or other.root

    def __add__(self, other: Surd) -> Surd:
        root = self._root(other)
        return Surd(self.rational + other.rational, self.factor + other.factor, root)

    def __neg__(self) -> Surd:
        return Surd(-self.rational, -self.factor, self.root)

    def __sub__(self, other: Surd) -> Surd:
        return self + -other

    def __mul__(self, other: Surd) -> Surd:
        root = self._root(other)
        rational = self.rational * other.rational + self.factor * other.factor * root
        return Surd(rational, self.rational * other.factor + self.factor * other.rational, root)

    def inverse(self) -> Surd:
        """Of a number that is not zero: its norm is not zero either."""
        norm = self.rational**2 - self.factor**2 * self.root
        return Surd(self.rational / norm, -self.factor / norm, self.root)

    @property
    def is_zero(self) -> bool:
        return not self.rational and not self.factor

    def near(self) -> Fraction:
        """The number where it is rational, else so near that only the last rounding counts."""
        if not self.root:
            return self.rational
        root = Fraction(isqrt(self.root << 2 * ROOT_BITS), 1 << ROOT_BITS)
        return self.rational + self.factor * root

    @property
    def is_positive(self) -> bool:
        return self.near() > 0

    def __str__(self) -> str:
        if not self.root:
            return str(self.rational)
        root = f"sqrt({self.factor**2 * self.root})"
        sign = "-" if self.factor < 0 else "+"
        if self.rational:
            return f"{self.rational} {sign} {root}"
        return root if sign == "+" else "-" + root


ZERO, ONE = Surd(Fraction(0)), Surd(Fraction(1))
Matrix = tuple[tuple[Surd, ...], ...]


def rational(value: Fraction) -> Surd:
    return Surd(value)


def square_root(square: Fraction) -> Surd:
    """The positive root of a positive number, whose parts are at most MAX_PART."""
    # sqrt(p/q) = sqrt(p*q) / q, and what is square in p*q goes before the root.
    product, outside, divisor = square.numerator * square.denominator, 1, 2
    while divisor * divisor <= product:
        if product % (divisor * divisor) == 0:
            product //= divisor * divisor
            outside *= divisor
        else:
            divisor += 1
    factor = Fraction(outside, square.denominator)
    return Surd(factor) if product == 1 else Surd(Fraction(0), factor, product)


def default_points(count: int) -> tuple[Surd, ...]:
    pairs = [Surd(Fraction(p)) for p in _PAIRS.get(count, "").split()]
    return (ZERO,) * (count % 2) + tuple(q for p in pairs for q in (p, -p))


@dataclass(frozen=True)
class Family:
    """The matrices for `m` results of a filter of `r` elements. `points` are the finite ones.

    They are m+r-2 different numbers, and with each root there is its negative.
    """

    m: int
    r: int
    points: tuple[Surd, ...]

    @property
    def n(self) -> int:
        return self.m + self.r - 1

    def matrix(self, name: str) -> Matrix:
        """One of `NAMES`."""
        a, g, bt = self._rows
        by_name = {"A": a, "G": g, "BT": bt}
        if name in by_name:
            return by_name[name]
        return transposed(by_name["BT" if name == "B" else name[0]])

    @cached_property
    def _rows(self) -> tuple[Matrix, Matrix, Matrix]:
        """A, G and BT."""
        a: list[tuple[Surd, ...]] = []
        g: list[tuple[Surd, ...]] = []
        bt: list[tuple[Surd, ...]] = []
        product = _product(self.points)
        for point in self.points:
            quotient = _divided(product, point)
            weight = _value(quotient, point)
            if not weight.is_positive:
                quotient, weight = [-c for c in quotient], -weight
            share = weight.inverse()
            a.append(_powers(point, self.m))
            g.append(tuple(p * share for p in _powers(point, self.r)))
            bt.append((*quotient, ZERO))
        a.append(_last(self.m))
        g.append(_last(self.r))
        bt.append(tuple(product))
        return tuple(a), tuple(g), tuple(bt)


def transposed(matrix: Matrix) -> Matrix:
    return tuple(zip(*matrix, strict=True))


def rounded(matrix: Matrix, element: Element) -> np.ndarray:
    """Each entry rounded once, to a type of reals. Read-only."""
    data = np.array(
        [[consts.rounded(entry.near(), element) for entry in row] for row in matrix],
        dtype=element.numpy,
    )
    data.setflags(write=False)
    return data


def extended(matrix: Matrix) -> np.ndarray:
    """In extended precision, as the tables of constants are."""
    return np.array(
        [[consts.extended(entry.near()) for entry in row] for row in matrix], dtype=consts.Real
    )


@lru_cache(maxsize=64)
def family(m: int, r: int, points: tuple[Surd, ...] | None = None) -> Family:
    return Family(m, r, default_points(m + r - 2) if points is None else points)


def _powers(point: Surd, count: int) -> tuple[Surd, ...]:
    found = [ONE]
    while len(found) < count:
        found.append(found[-1] * point)
    return tuple(found)


def _last(count: int) -> tuple[Surd, ...]:
    return (ZERO,) * (count - 1) + (ONE,)


def _product(points: Sequence[Surd]) -> list[Surd]:
    """Coefficients of prod(x - p), lowest first; a root's factor is taken with its negative's."""
    result = [ONE]
    for point in points:
        if not point.root:
            result = _times(result, [-point, ONE])
        elif point.factor > 0:
            result = _times(result, [-(point * point), ZERO, ONE])
    return result


def _times(a: list[Surd], b: list[Surd]) -> list[Surd]:
    result = [ZERO] * (len(a) + len(b) - 1)
    for i, left in enumerate(a):
        for j, right in enumerate(b):
            result[i + j] = result[i + j] + left * right
    return result


def _divided(polynomial: list[Surd], point: Surd) -> list[Surd]:
    """By x - point, which divides it: Horner's scheme."""
    quotient, carried = [], ZERO
    for coefficient in reversed(polynomial):
        carried = coefficient + carried * point
        quotient.append(carried)
    remainder = quotient.pop()
    assert remainder.is_zero
    return quotient[::-1]


def _value(polynomial: list[Surd], point: Surd) -> Surd:
    value = ZERO
    for coefficient in reversed(polynomial):
        value = coefficient + value * point
    return value


class Matrices(Protocol):
    """What has AT, G and BT for filters of `r` elements."""

    @property
    def r(self) -> int: ...

    def matrix(self, name: str) -> Matrix: ...


def amplification(family: Matrices) -> float:
    """How much larger than a direct sum's the rounding errors of one dimension are, about.

    For data without structure: a result's variance from those of the transformed data and filter,
    each of which is rounded, over that of the direct sum.
    """
    at, g, bt = (np.asarray(extended(family.matrix(n)), dtype=float) for n in ("AT", "G", "BT"))
    variance = (bt**2).sum(1) * (g**2).sum(1)
    return float(np.sqrt(((at**2) @ variance).max() / family.r))
