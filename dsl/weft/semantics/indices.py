# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Index variables with their ranges, and affine expressions over them, coefficients being sizes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from weft.semantics import typed
from weft.semantics.sizes import Size, equal, negative, size


@dataclass(frozen=True, eq=False)
class IndexVariable:
    """An index and its range. `in_time`: it is the loop of a program, not of a map."""

    index: typed.Index
    lower: Size
    upper: Size
    in_time: bool = False

    @property
    def name(self) -> str:
        return self.index.name

    def loop(self) -> typed.Loop:
        lower = self.lower.concrete
        known = self.lower.value is not None and self.upper.value is not None
        return typed.Loop(self.index, lower, self.upper.concrete if known else lower + 1)


@dataclass(frozen=True)
class AffineIndex:
    """sum(coefficient * variable) + constant, with an optional modulus."""

    terms: tuple[tuple[IndexVariable, Size], ...]
    constant: Size
    modulus: Size | None = None

    @property
    def variables(self) -> frozenset[IndexVariable]:
        return frozenset(v for v, _ in self.terms)

    @property
    def plain(self) -> IndexVariable | None:
        """The variable, where the index is nothing but one."""
        if self.modulus is None and len(self.terms) == 1 and self.constant.constant == 0:
            variable, factor = self.terms[0]
            return variable if factor.constant == 1 else None
        return None

    def __add__(self, other: AffineIndex) -> AffineIndex:
        terms = dict(self.terms)
        for variable, factor in other.terms:
            terms[variable] = terms[variable] + factor if variable in terms else factor
        return affine(terms.items(), self.constant + other.constant)

    def scaled(self, factor: Size) -> AffineIndex:
        return affine(((v, c * factor) for v, c in self.terms), self.constant * factor)

    def range(self) -> tuple[Size, Size] | None:
        """Smallest and largest value; None where a coefficient's sign is not known."""
        if self.modulus is not None:
            return size(0), self.modulus - size(1)
        low = high = self.constant
        for variable, factor in self.terms:
            below = negative(factor)
            if below is None:
                return None
            first, last = variable.lower, variable.upper - size(1)
            low = low + factor * (last if below else first)
            high = high + factor * (first if below else last)
        return low, high

    def typed(self) -> typed.Affine:
        terms = sorted(
            ((v.index, c.concrete) for v, c in self.terms if c.concrete), key=lambda t: t[0].id
        )
        modulus = None if self.modulus is None else self.modulus.concrete
        return typed.Affine(tuple(terms), self.constant.concrete, modulus)


def affine(
    terms: Iterable[tuple[IndexVariable, Size]], constant: Size, modulus: Size | None = None
) -> AffineIndex:
    kept = tuple((v, c) for v, c in terms if c.constant != 0)
    return AffineIndex(kept, constant, modulus)


def constant_index(value: Size) -> AffineIndex:
    return AffineIndex((), value)


def variable_index(variable: IndexVariable) -> AffineIndex:
    return AffineIndex(((variable, size(1)),), size(0))


@dataclass(frozen=True)
class Bounds:
    """How an index leaves 0..extent-1: the value that does."""

    reached: Size


def out_of_bounds(index: AffineIndex, extent: Size) -> Bounds | None:
    """The offending extreme, where the index is known to leave the extent."""
    bounds = index.range()
    if bounds is None:
        return None
    low, high = bounds
    if negative(low):
        return Bounds(low)
    if negative(extent - size(1) - high):
        return Bounds(high)
    return None


@dataclass(frozen=True)
class Progression:
    """first, first+step, ..., count values; step is at least 1."""

    first: int
    step: int
    count: int

    @property
    def last(self) -> int:
        return self.first + self.step * (self.count - 1)

    def meets(self, other: Progression) -> bool:
        """Whether the two share a value: exact, by the Chinese remainder theorem."""
        low, high = max(self.first, other.first), min(self.last, other.last)
        if low > high:
            return False
        common, x, _ = _bezout(self.step, other.step)
        difference = other.first - self.first
        if difference % common:
            return False
        period = self.step // common * other.step
        value = self.first + difference // common * x % (other.step // common) * self.step
        value += -(-(low - value) // period) * period
        return value <= high


def _bezout(a: int, b: int) -> tuple[int, int, int]:
    """g, x, y with a*x + b*y = g = gcd(a, b)."""
    x, next_x, y, next_y = 1, 0, 0, 1
    while b:
        quotient = a // b
        a, b = b, a % b
        x, next_x = next_x, x - quotient * next_x
        y, next_y = next_y, y - quotient * next_y
    return a, x, y


def progression(index: AffineIndex) -> Progression | None:
    """The values of an index with known sizes, each taken exactly once, if that is a progression.

    Several variables may share the index as digits do, `4*i + j` with j in 0:4.
    """
    if index.modulus is not None:
        return None
    first = index.constant.concrete
    digits: list[tuple[int, int]] = []
    for variable, factor in index.terms:
        step, extent = factor.concrete, variable.upper.concrete - variable.lower.concrete
        if step == 0:
            return None
        start = variable.lower.concrete if step > 0 else variable.upper.concrete - 1
        first += step * start
        if extent > 1:
            digits.append((abs(step), extent))
    digits.sort()
    if not digits:
        return Progression(first, 1, 1)
    step, count = digits[0]
    for wider, extent in digits[1:]:
        if wider != step * count:
            return None
        count *= extent
    return Progression(first, step, count)


def same_extent(a: Size, b: Size) -> bool:
    """False only where the two are known to differ."""
    return equal(a, b) is not False
