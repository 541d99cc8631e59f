# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rfft and irfft: Fourier transforms between real tensors and half spectra.

An even length n = 2m is one complex transform of length m and a split step. With
z[j] = x[2j] + i x[2j+1], Z = dft(z), w = exp(-2 pi i / n) and Z[m] = Z[0],

    X[k] = (Z[k] + conj Z[m-k]) / 2 - i w^k (Z[k] - conj Z[m-k]) / 2        k = 0..m

and backwards, up to the scale, Z[k] = (X[k] + conj X[m-k]) + i w^-k (X[k] - conj X[m-k]).
Both are A + B, and the element at m-k is conj (A - B): the split step goes over pairs of elements.
An odd length is a complex transform of that length.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

from weft.diagnostics import Span
from weft.semantics import typed
from weft.semantics.arguments import keyword, read_axes
from weft.semantics.boxes import Box, Formula, Store, assemble, elements
from weft.semantics.context import Context
from weft.semantics.indices import AffineIndex, constant_index
from weft.semantics.long_primes import Transform, transform
from weft.semantics.operand import Indices, Operand, materialise, require_whole, scalar
from weft.semantics.reference_dft import roots_of_unity
from weft.semantics.sizes import Size, size
from weft.semantics.sizing import check_extent, read_extent
from weft.semantics.transforms import read_norm
from weft.semantics.types import Element, Kind
from weft.syntax import ast

# Longer tables become products of shorter ones.
LARGEST_TABLE = 1 << 17

Place = Callable[[AffineIndex], AffineIndex]


def rfft(ctx: Context, node: ast.Call, operand: Operand) -> Operand:
    """`rfft(x, axis=, norm=none)`: elements 0..n//2 of the transform of a real tensor."""
    if operand.kind is not Kind.REAL:
        # W205
        ctx.fail(
            operand.span,
            "W205",
            "'rfft' takes real elements",
            expected="f32 or f64",
            found=operand.described,
            help="of complex elements: dft(x)"
            if operand.kind is Kind.COMPLEX
            else "convert them: f64(x)",
        )
    axis = _axis(ctx, node, operand)
    n = operand.shape[axis]
    norm = read_norm(ctx, node, "none")
    scale = _scale(norm, n.concrete)
    half = n.floordiv(size(2)) + size(1)
    shape = (*operand.shape[:axis], half, *operand.shape[axis + 1 :])
    require_whole(ctx, operand)

    def produce(element: Element, name: str, span: Span) -> typed.Value:
        work = _Work(ctx, operand, axis, element, node.span)
        if n.concrete % 2:
            return work.odd_spectrum(n.concrete, scale, shape, name, span)
        return work.even_spectrum(n.concrete, scale, shape, name, span)

    element = None if operand.element is None else operand.element.complex
    return Operand(Kind.COMPLEX, element, shape, node.span, None, produce, free=operand.free)


def irfft(ctx: Context, node: ast.Call, operand: Operand) -> Operand:
    """`irfft(x, n=, axis=, norm=inverse)`: the real tensor of length n with the half spectrum x.

    As in NumPy: of a longer x the first n//2 + 1 elements count, a shorter one goes on with zeros,
    and the imaginary parts of element 0 and, n being even, n/2 are ignored.
    """
    if operand.kind is not Kind.COMPLEX:
        # W205
        ctx.fail(
            operand.span,
            "W205",
            "'irfft' takes complex elements",
            expected="c64 or c128",
            found=operand.described,
            help="make them complex: c128(x)",
        )
    axis = _axis(ctx, node, operand)
    given = keyword(node, "n")
    if given is not None:
        n = read_extent(ctx, given)
    else:
        n = (operand.shape[axis] - size(1)) * size(2)
        check_extent(ctx, n, node.span)
    norm = read_norm(ctx, node, "inverse")
    scale = _scale(norm, n.concrete)
    shape = (*operand.shape[:axis], n, *operand.shape[axis + 1 :])
    require_whole(ctx, operand)

    def produce(element: Element, name: str, span: Span) -> typed.Value:
        work = _Work(ctx, operand, axis, element.complex, node.span)
        length = max(1, n.concrete)
        if length % 2:
            return work.odd_signal(length, scale, shape, name, span)
        return work.even_signal(length, scale, shape, name, span)

    element = None if operand.element is None else operand.element.real
    return Operand(Kind.REAL, element, shape, node.span, None, produce, free=operand.free)


def _axis(ctx: Context, node: ast.Call, operand: Operand) -> int:
    rank = len(operand.shape)
    axes = read_axes(ctx, node, operand)
    if axes is not None:
        return axes[0]
    if rank != 1:
        # W307
        ctx.fail(
            node.span,
            "W307",
            "which axis is to be transformed?",
            expected="axis=" if rank else "a tensor",
            found=operand.described,
            help=f"{node.function.name}(x, axis={rank - 1})" if rank else "",
        )
    return 0


def _scale(norm: str, n: int) -> float | None:
    return {"none": None, "ortho": 1 / sqrt(max(1, n)), "inverse": 1 / max(1, n)}[norm]


class _Work:
    """The statements of one transform along `axis`; `element` is its complex type."""

    def __init__(
        self, ctx: Context, operand: Operand, axis: int, element: Element, span: Span
    ) -> None:
        self.ctx, self.operand, self.axis, self.span = ctx, operand, axis, span
        self.element, self.real = element, element.real

    # ------------------------------------------------------------------------- forward

    def even_spectrum(
        self, n: int, scale: float | None, shape: tuple[Size, ...], name: str, span: Span
    ) -> typed.Value:
        m = n // 2

        def pair(at: Indices) -> typed.Scalar:
            k = at[self.axis].scaled(size(2))
            even, odd = (self._given(at, k + constant_index(size(j)), self.real) for j in (0, 1))
            return self._binary("complex", even, odd)

        if self._is_whole(self.real):
            given = materialise(self.ctx, self.operand, self.real)
            pairs = self._same_memory(given, self._shape(m), self.element, "")
        else:
            pairs = self._tensor(m, [self._along(0, m, pair)])
        z = self._transformed(pairs, -1, scale)
        turn = self._turns(n, -1, -0.5)
        half = typed.Constant(0.5, self.real, self.span)

        def halves(at: Indices) -> tuple[typed.Scalar, typed.Scalar]:
            k = at[self.axis]
            one, other = self._read(z, at, k), self._conj(self._read(z, at, self._mirrored(k, m)))
            turned = self._binary("mul", turn(k), self._binary("sub", one, other))
            mean = self._binary("add", one, other)
            return self._binary("mul", mean, half), turned

        def end(op: str) -> Formula:
            """Elements 0 and m, which are real: the sum and the difference of Z[0]'s parts."""

            def value(at: Indices) -> typed.Scalar:
                first = self._read(z, at, constant_index(size(0)))
                parts = [typed.Unary(p, first, self.real, self.span) for p in ("real", "imag")]
                return typed.Cast(self._binary(op, *parts), self.element, self.span)

            return value

        ends = [self._at(0, end("add")), self._at(m, end("sub"))]
        if m % 2 == 0:
            ends.append(self._at(m // 2, lambda at: self._conj(self._fixed(z, at, m // 2))))
        boxes = [self._both_ends(m, halves), Box(self._ranges(0, 1), tuple(ends))]
        return assemble(self.ctx, self.element, shape, boxes, name, span)

    def odd_spectrum(
        self, n: int, scale: float | None, shape: tuple[Size, ...], name: str, span: Span
    ) -> typed.Value:
        def widened(at: Indices) -> typed.Scalar:
            return typed.Cast(self._given(at, at[self.axis], self.real), self.element, self.span)

        z = self._transformed(self._tensor(n, [self._along(0, n, widened)]), -1, scale)
        kept = self._along(0, n // 2 + 1, lambda at: self._read(z, at, at[self.axis]))
        return assemble(self.ctx, self.element, shape, [kept], name, span)

    # ------------------------------------------------------------------------ backward

    def even_signal(
        self, n: int, scale: float | None, shape: tuple[Size, ...], name: str, span: Span
    ) -> typed.Value:
        m = n // 2
        x = self._spectrum(m + 1)
        turn = self._turns(n, +1, 1.0)

        def halves(at: Indices) -> tuple[typed.Scalar, typed.Scalar]:
            k = at[self.axis]
            one, other = self._read(x, at, k), self._conj(self._read(x, at, self._mirrored(k, m)))
            turned = self._binary("mul", turn(k), self._binary("sub", one, other))
            return self._binary("add", one, other), turned

        def first(at: Indices) -> typed.Scalar:
            ends = [self._real_part(self._fixed(x, at, j)) for j in (0, m)]
            return self._binary("complex", self._binary("add", *ends), self._binary("sub", *ends))

        def middle(at: Indices) -> typed.Scalar:
            value = self._conj(self._fixed(x, at, m // 2))
            return self._binary("add", value, value)

        ends = [self._at(0, first)]
        if m > 1 and m % 2 == 0:
            ends.append(self._at(m // 2, middle))
        boxes = [self._both_ends(m, halves), Box(self._ranges(0, 1), tuple(ends))]
        z = self._transformed(self._tensor(m, boxes), +1, scale)
        if self._is_last():
            return self._same_memory(z, shape, self.real, name)

        def store(part: str, offset: int) -> Store:
            def place(at: Indices) -> Indices:
                return self._moved(at, at[self.axis].scaled(size(2)) + constant_index(size(offset)))

            def value(at: Indices) -> typed.Scalar:
                return typed.Unary(part, self._read(z, at, at[self.axis]), self.real, self.span)

            return Store(place, value)

        pairs = Box(self._ranges(0, m), (store("real", 0), store("imag", 1)))
        return assemble(self.ctx, self.real, shape, [pairs], name, span)

    def odd_signal(
        self, n: int, scale: float | None, shape: tuple[Size, ...], name: str, span: Span
    ) -> typed.Value:
        m = n // 2
        x = self._spectrum(m + 1)

        def first(at: Indices) -> typed.Scalar:
            part = self._real_part(self._read(x, at, at[self.axis]))
            return typed.Cast(part, self.element, self.span)

        def mirrored(at: Indices) -> typed.Scalar:
            k = at[self.axis].scaled(size(-1)) + constant_index(size(n))
            return self._conj(self._read(x, at, k))

        boxes = [
            self._along(0, 1, first),
            self._along(1, m + 1, lambda at: self._read(x, at, at[self.axis])),
            self._along(m + 1, n, mirrored),
        ]
        z = self._transformed(self._tensor(n, boxes), +1, scale)
        kept = self._along(0, n, lambda at: self._real_part(self._read(z, at, at[self.axis])))
        return assemble(self.ctx, self.real, shape, [kept], name, span)

    def _spectrum(self, count: int) -> typed.Value:
        """The first `count` elements of the operand, zeros where it has fewer."""
        have = min(count, self.operand.shape[self.axis].concrete)
        zero = typed.Constant(0j, self.element, self.span)
        boxes = [
            self._along(0, have, lambda at: self._given(at, at[self.axis], self.element)),
            self._along(have, count, lambda _at: zero),
        ]
        return self._tensor(count, boxes)

    # ------------------------------------------------------------- pairs and their memory

    def _is_last(self) -> bool:
        return self.axis == len(self.operand.shape) - 1

    def _is_whole(self, element: Element) -> bool:
        """Whether the operand lies in memory as pairs of neighbours."""
        return (
            self._is_last() and self.operand.produce is not None and self.operand.element is element
        )

    def _same_memory(
        self, source: typed.Value, shape: tuple[Size, ...], element: Element, name: str
    ) -> typed.Value:
        """Pairs of real elements as complex ones, or back."""
        target = self.ctx.value(name, element, shape, self.span)
        self.ctx.block.append(typed.Reshape(target, source, self.span))
        return target

    def _both_ends(
        self, m: int, halves: Callable[[Indices], tuple[typed.Scalar, typed.Scalar]]
    ) -> Box:
        """Elements k and m-k for k from 1 to below m/2: A + B and conj (A - B)."""

        def value(op: str) -> Formula:
            return lambda at: self._binary(op, *halves(at))

        def below(at: Indices) -> typed.Scalar:
            mean, turned = halves(at)
            return self._binary("sub", self._conj(mean), self._conj(turned))

        def place(at: Indices) -> Indices:
            return self._moved(at, self._mirrored(at[self.axis], m))

        stores = (Store(lambda at: at, value("add")), Store(place, below))
        return Box(self._ranges(1, (m + 1) // 2), stores)

    def _at(self, position: int, value: Formula) -> Store:
        return Store(lambda at: self._moved(at, constant_index(size(position))), value)

    def _fixed(self, value: typed.Value, at: Indices, position: int) -> typed.Scalar:
        return self._read(value, at, constant_index(size(position)))

    def _mirrored(self, k: AffineIndex, m: int) -> AffineIndex:
        return k.scaled(size(-1)) + constant_index(size(m))

    # --------------------------------------------------------------------------- parts

    def _shape(self, along: int) -> tuple[Size, ...]:
        shape = self.operand.shape
        return (*shape[: self.axis], size(along), *shape[self.axis + 1 :])

    def _ranges(self, lower: int, upper: int) -> tuple[tuple[int, int], ...]:
        whole = [(0, s.concrete) for s in self.operand.shape]
        whole[self.axis] = (lower, upper)
        return tuple(whole)

    def _along(self, lower: int, upper: int, value: Formula) -> Box:
        return elements(self._ranges(lower, upper), value)

    def _tensor(self, along: int, boxes: list[Box]) -> typed.Value:
        return assemble(self.ctx, self.element, self._shape(along), boxes, "", self.span)

    def _transformed(self, source: typed.Value, sign: int, scale: float | None) -> typed.Value:
        return transform(self.ctx, Transform(source, (self.axis,), sign, scale, self.span))

    def _turns(self, n: int, sign: int, factor: float) -> Callable[[AffineIndex], typed.Scalar]:
        """factor * i * w^k for k from 1 to below n/4, where w = exp(sign * 2 pi i / n)."""
        if n > LARGEST_TABLE:
            return self._products(n, sign, factor)
        # A table of each part: vectors of one load need no shuffle. The first vector begins at
        # k = 1, and at the table's beginning.
        data = roots_of_unity(n, sign)[1 : max(2, (n // 2 + 1) // 2)] * (factor * 1j)
        parts = []
        for part in (data.real, data.imag):
            target = self.ctx.value("", self.real, (size(len(data)),), self.span)
            rounded = (part + 0.0).astype(self.real.numpy)
            rounded.flags.writeable = False
            self.ctx.prelude.append(typed.Table(target, rounded, self.span))
            parts.append(target)

        def turn(k: AffineIndex) -> typed.Scalar:
            at = k + constant_index(size(-1))
            reads = [typed.Read(part, (at.typed(),), self.span) for part in parts]
            return self._binary("complex", *reads)

        return turn

    def _products(self, n: int, sign: int, factor: float) -> Callable[[AffineIndex], typed.Scalar]:
        """Of row 1 of the twiddles of 2 and n/2, which come as products of shorter tables."""
        shape = (size(2), size(n // 2))
        target = self.ctx.value("", self.element, shape, self.span)
        self.ctx.prelude.append(typed.Twiddle(target, 2, n // 2, sign, self.span))

        def turn(k: AffineIndex) -> typed.Scalar:
            root = typed.Read(target, (constant_index(size(1)).typed(), k.typed()), self.span)
            parts = []
            for part, by in (("imag", -factor), ("real", factor)):
                value = typed.Unary(part, root, self.real, self.span)
                number = typed.Constant(by, self.real, self.span)
                parts.append(self._binary("mul", value, number))
            return self._binary("complex", *parts)

        return turn

    def _moved(self, at: Indices, along: AffineIndex) -> Indices:
        return (*at[: self.axis], along, *at[self.axis + 1 :])

    def _given(self, at: Indices, along: AffineIndex, want: Element) -> typed.Scalar:
        return scalar(self.ctx, self.operand, self._moved(at, along), want)

    def _read(self, value: typed.Value, at: Indices, along: AffineIndex) -> typed.Scalar:
        return typed.Read(value, tuple(i.typed() for i in self._moved(at, along)), self.span)

    def _conj(self, part: typed.Scalar) -> typed.Scalar:
        return typed.Unary("conj", part, self.element, self.span)

    def _real_part(self, part: typed.Scalar) -> typed.Scalar:
        return typed.Unary("real", part, self.real, self.span)

    def _binary(self, op: str, left: typed.Scalar, right: typed.Scalar) -> typed.Scalar:
        element = self.element if op == "complex" else left.element
        return typed.Binary(op, left, right, element, self.span)


BUILTINS: dict[str, Callable[[Context, ast.Call, Operand], Operand]] = {
    "rfft": rfft,
    "irfft": irfft,
}
ARGUMENTS: dict[str, tuple[int, int, set[str]]] = {
    "rfft": (1, 1, {"axis", "norm"}),
    "irfft": (1, 1, {"axis", "norm", "n"}),
}
