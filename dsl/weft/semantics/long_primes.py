# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transforms of lengths whose largest prime is beyond what the compiler's tables hold.

A transform of any length n is a convolution with a chirp (Bluestein, 1970): with
c_t = exp(sign * pi i t^2 / n), y_j = c_j * sum(x_k * c_k * conj(c_{j-k}) for k), of a length m of
small primes from 2n-1 on. Where n is so long that chirps and their spectrum would be megabytes of C
text, a kernel computes both: t has three digits, t = (a*B + b)*C + c, and the chirp is a product of
three short tables, one for each two digits,

    c_t = P[a, b] * Q[a, c] * R[b, c]

with the square of (a*B + b)*C in P, twice the product of a*B*C and c in Q, the rest of t^2 in R.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from weft.diagnostics import Span
from weft.semantics import typed
from weft.semantics.boxes import Box, Formula, Store, assemble, elements
from weft.semantics.context import Context
from weft.semantics.indices import AffineIndex, constant_index
from weft.semantics.operand import Indices
from weft.semantics.reference_dft import roots_at
from weft.semantics.sizes import size
from weft.semantics.tables import MAX_NUMBERS, needs_large_tables, smooth_lengths
from weft.semantics.types import Element

Ranges = tuple[tuple[int, int], ...]
Named = tuple[str, Span]
"""The user's name of a value, and where it stands."""

TABLES = 3


@dataclass(frozen=True)
class Transform:
    """What a `typed.Dft` says, but for its target."""

    source: typed.Value
    axes: tuple[int, ...]
    sign: int
    scale: float | None
    span: Span
    radices: tuple[int, ...] = ()

    def statement(self, ctx: Context, named: Named | None = None) -> typed.Value:
        name, place = named or ("", self.span)
        shape = tuple(size(n) for n in self.source.type.shape)
        target = ctx.value(name, self.source.type.element, shape, place)
        ctx.block.append(
            typed.Dft(
                target, self.source, self.axes, self.sign, self.scale, self.radices, self.span
            )
        )
        return target


def transform(ctx: Context, wanted: Transform, named: Named | None = None) -> typed.Value:
    """Its one statement, or more where a length has a prime that is too large."""
    shape, source = wanted.source.type.shape, wanted.source
    if wanted.radices or not any(_is_convolution(shape[axis]) for axis in wanted.axes):
        return wanted.statement(ctx, named)
    *first, last = wanted.axes
    for axis in first:
        source = transform(ctx, replace(wanted, source=source, axes=(axis,), scale=None))
    along = replace(wanted, source=source, axes=(last,))
    if not _is_convolution(shape[last]):
        return along.statement(ctx, named)
    return _Line(ctx, along).statements(named)


def _is_convolution(length: int) -> bool:
    """Lengths beyond 2^27, whose short tables are too large as well, are refused as they are."""
    short = TABLES * 2 * _extent(length) ** 2
    return short <= MAX_NUMBERS and needs_large_tables(length)


def _extent(n: int) -> int:
    """Of each digit: tables are shortest with digits alike, the last loop has whole vectors."""
    return 1 << -(-n.bit_length() // 3)


def convolution_length(n: int) -> int:
    """The least length from 2n-1 on that is a multiple of 64 and has no primes but 2, 3 and 5."""
    least = -(-(2 * n - 1) // 64)
    return 64 * min(f for f in smooth_lengths((2, 3, 5), 2 * least) if f >= least)


@dataclass(frozen=True)
class _Digits:
    """Numbers below `count` in three digits, the last two with extents `middle` and `low`, whose
    product is at most `count`."""

    count: int
    middle: int
    low: int

    @property
    def high(self) -> int:
        return -(-self.count // (self.middle * self.low))

    def boxes(self, lower: int) -> list[Ranges]:
        """The digits of the numbers from `lower`, which is 0 or 1, to below `count`."""
        rest, c = divmod(self.count, self.low)
        a, b = divmod(rest, self.middle)
        first: list[Ranges] = [((0, a), (0, self.middle), (0, self.low))]
        if lower:
            first = [
                ((0, 1), (0, 1), (1, self.low)),
                ((0, 1), (1, self.middle), (0, self.low)),
                ((1, a), (0, self.middle), (0, self.low)),
            ]
        return [*first, ((a, a + 1), (0, b), (0, self.low)), ((a, a + 1), (b, b + 1), (0, c))]

    def number(self, digits: Indices) -> AffineIndex:
        high, middle, low = digits
        factors = (size(self.middle * self.low), size(self.low))
        return high.scaled(factors[0]) + middle.scaled(factors[1]) + low


class _Line:
    """The statements of a transform along one axis."""

    def __init__(self, ctx: Context, wanted: Transform) -> None:
        self.ctx, self.wanted, self.span = ctx, wanted, wanted.span
        (self.axis,) = wanted.axes
        self.element: Element = wanted.source.type.element
        self.shape: tuple[int, ...] = wanted.source.type.shape
        self.n = self.shape[self.axis]
        self.m = convolution_length(self.n)
        self.digits = _Digits(self.n, _extent(self.n), _extent(self.n))
        self.chirp = self._chirp()

    def statements(self, named: Named | None) -> typed.Value:
        spectrum = self._dft(self._multiplied(), self.axis, -1, None)
        factors = self._dft(self._factors(), 0, -1, None)

        def product(at: Indices) -> typed.Scalar:
            return self._mul(self._read(spectrum, at), self._read(factors, (at[self.axis],)))

        products = self._assemble(self.m, [elements(self._ranges((0, self.m)), product)])
        scale = 1.0 if self.wanted.scale is None else self.wanted.scale
        convolution = self._dft(products, self.axis, +1, scale / self.m)

        def last(at: Indices, digits: Indices) -> typed.Scalar:
            return self._mul(self._read(convolution, at), self.chirp(digits))

        return self._assemble(self.n, self._along_digits(last), named)

    def _multiplied(self) -> typed.Value:
        """x_k * c_k, and zeros."""

        def value(at: Indices, digits: Indices) -> typed.Scalar:
            return self._mul(self._read(self.wanted.source, at), self.chirp(digits))

        zero = typed.Constant(0j, self.element, self.span)
        rest = elements(self._ranges((self.n, self.m)), lambda _at: zero)
        return self._assemble(self.m, [*self._along_digits(value), rest])

    def _factors(self) -> typed.Value:
        """conj(c_t) at t and at m - t, and zeros between."""
        m = constant_index(size(self.m))

        def value(digits: Indices) -> typed.Scalar:
            return typed.Unary("conj", self.chirp(digits), self.element, self.span)

        def here(digits: Indices) -> Indices:
            return (self.digits.number(digits),)

        def mirrored(digits: Indices) -> Indices:
            return (self.digits.number(digits).scaled(size(-1)) + m,)

        stores = (Store(here, value), Store(mirrored, value))
        one, zero = (typed.Constant(v, self.element, self.span) for v in (1 + 0j, 0j))
        boxes = [
            elements(((0, 1),), lambda _at: one),
            *(Box(ranges, stores) for ranges in self.digits.boxes(1)),
            elements(((self.n, self.m - self.n + 1),), lambda _at: zero),
        ]
        return assemble(self.ctx, self.element, (size(self.m),), boxes, "", self.span)

    def _along_digits(self, value: Callable[[Indices, Indices], typed.Scalar]) -> list[Box]:
        """Elements 0 to n-1, each from its indices and the digits of that along the axis."""

        def split(at: Indices) -> tuple[Indices, Indices]:
            digits = at[self.axis : self.axis + 3]
            number = self.digits.number(digits)
            return (*at[: self.axis], number, *at[self.axis + 3 :]), digits

        stores = (Store(lambda at: split(at)[0], lambda at: value(*split(at))),)
        return [Box(self._ranges(*ranges), stores) for ranges in self.digits.boxes(0)]

    def _chirp(self) -> Formula:
        middle, low = self.digits.middle, self.digits.low
        a = np.arange(self.digits.high)[:, None] * (middle * low)
        b, c = np.arange(middle) * low, np.arange(low)
        period = 2 * self.n
        squares = [
            (a + b) % period * ((a + b) % period),
            2 * (a % period) * c,
            2 * b[:, None] * c + c * c,
        ]
        tables = []
        for square in squares:
            data = roots_at(square % period, period, self.wanted.sign).astype(self.element.numpy)
            data.flags.writeable = False
            shape = tuple(size(n) for n in data.shape)
            target = self.ctx.value("", self.element, shape, self.span)
            self.ctx.prelude.append(typed.Table(target, data, self.span))
            tables.append(target)

        def value(digits: Indices) -> typed.Scalar:
            high, of_middle, of_low = digits
            pairs = ((high, of_middle), (high, of_low), (of_middle, of_low))
            first, second, third = (self._read(t, p) for t, p in zip(tables, pairs, strict=True))
            return self._mul(self._mul(first, second), third)

        return value

    def _dft(self, source: typed.Value, axis: int, sign: int, scale: float | None) -> typed.Value:
        return Transform(source, (axis,), sign, scale, self.span).statement(self.ctx)

    def _assemble(self, along: int, boxes: list[Box], named: Named | None = None) -> typed.Value:
        shape = [size(n) for n in self.shape]
        shape[self.axis] = size(along)
        name, place = named or ("", self.span)
        return assemble(self.ctx, self.element, tuple(shape), boxes, name, place)

    def _ranges(self, *along: tuple[int, int]) -> Ranges:
        whole = [(0, n) for n in self.shape]
        return (*whole[: self.axis], *along, *whole[self.axis + 1 :])

    def _read(self, value: typed.Value, at: Indices) -> typed.Scalar:
        return typed.Read(value, tuple(i.typed() for i in at), self.span)

    def _mul(self, left: typed.Scalar, right: typed.Scalar) -> typed.Scalar:
        return typed.Binary("mul", left, right, self.element, self.span)
