# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elements and parts of tensors: `x[i, 1:H-1]`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeGuard

from weft.diagnostics import Span, close_match
from weft.semantics import typed
from weft.semantics.context import Context
from weft.semantics.indices import (
    AffineIndex,
    IndexVariable,
    constant_index,
    out_of_bounds,
)
from weft.semantics.operand import Indices, Operand, make_map, scalar
from weft.semantics.sizes import Size, negative, shape_text, size
from weft.semantics.sizing import read_index
from weft.semantics.types import Element
from weft.syntax import ast, foreign


@dataclass(frozen=True)
class Part:
    """One index, or a slice of `extent` elements from `start`, each `step` apart."""

    start: AffineIndex
    step: Size
    extent: Size | None

    def at(self, index: AffineIndex) -> AffineIndex:
        return self.start + index.scaled(self.step)

    @property
    def is_whole_axis(self) -> bool:
        return not self.start.terms and self.start.constant.constant == 0 and self.step == size(1)


def read_subscript(ctx: Context, node: ast.Subscript, base: Operand) -> Operand:
    if not base.shape:
        # W401
        ctx.fail(
            node.span, "W401", "a scalar has no elements", expected="a tensor", found=base.described
        )
    parts = read_parts(ctx, node.items, base.shape, node.span)
    shape = tuple(p.extent for p in parts if p.extent is not None)
    variables: frozenset[IndexVariable] = frozenset().union(*(p.start.variables for p in parts))
    free = base.free | {v for v in variables if not v.in_time}
    result = Operand(base.kind, base.element, shape, node.span, free=free)

    def build(indices: Indices, want: Element) -> typed.Scalar:
        rest = iter(indices)
        own: list[AffineIndex] = []
        for part in parts:
            if part.extent is None:
                own.append(part.start)
                continue
            index = next(rest)
            if part.is_whole_axis:
                own.append(index)
            elif index.modulus is not None:
                # The remainder of an offset index is no affine index: copy the part first.
                return read_copy(ctx, result, indices, want)
            else:
                own.append(part.at(index))
        return scalar(ctx, base, tuple(own), want)

    result.build = build
    return result


def read_copy(ctx: Context, part: Operand, indices: Indices, want: Element) -> typed.Scalar:
    if part.free:
        # W403
        ctx.fail(
            part.span,
            "W403",
            "the index of this part is a remainder, and the part depends on an index",
            help="give the part a name first",
        )
    value = part.made.get(want)
    if value is None:
        copy = Operand(part.kind, part.element, part.shape, part.span, part.build)
        value = part.made[want] = make_map(ctx, copy, want, "", part.span)
    return typed.Read(value, tuple(i.typed() for i in indices), part.span)


def read_parts(
    ctx: Context, items: tuple[ast.Item, ...], shape: tuple[Size, ...], span: Span
) -> list[Part]:
    """W401: an index or a slice for each dimension; those not written are whole."""
    if len(items) > len(shape):
        ctx.fail(
            span,
            "W401",
            "there are more indices than dimensions",
            expected=f"at most {len(shape)} for {shape_text(shape)}",
            found=str(len(items)),
            help=next((foreign.NAMES[i.name] for i in items if _is_foreign(i)), ""),
        )
    parts = [read_part(ctx, item, extent) for item, extent in zip(items, shape, strict=False)]
    whole = constant_index(size(0))
    parts.extend(Part(whole, size(1), extent) for extent in shape[len(items) :])
    return parts


def _is_foreign(item: ast.Item) -> TypeGuard[ast.Name]:
    """A word of other languages, as `newaxis`; one letter in an index is an index."""
    return isinstance(item, ast.Name) and len(item.name) > 1 and item.name in foreign.NAMES


def read_part(ctx: Context, item: ast.Item, extent: Size) -> Part:
    if isinstance(item, ast.NamedRange):
        # W403
        ctx.fail(
            item.span,
            "W403",
            "a named range stands on the left of an assignment only",
            help="on the right write the index, or a slice such as 1:n",
        )
    if isinstance(item, ast.Slice):
        return _slice(ctx, item, extent)
    _check_names(ctx, item, extent)
    index = read_index(ctx, item)
    check_bounds(ctx, index, extent, item.span)
    return Part(index, size(1), None)


def _check_names(ctx: Context, item: ast.Expression, extent: Size) -> None:
    """W101: an index name of which nothing gives the range, as einsum has them for sums."""
    for node in ast.walk(item):
        if isinstance(node, (ast.Subscript, ast.Call)):
            return  # W404
        if not isinstance(node, ast.Name) or ctx.scope.find(node.name) is not None:
            continue
        name = node.name
        known = ctx.scope.all_names()
        if close_match(name, known) or _is_foreign(node):
            continue
        upper = extent if isinstance(item, ast.Name) else "n"
        # W101
        ctx.fail(
            node.span,
            "W101",
            f"unknown name '{name}'",
            expected="an index whose range is given",
            help=f"sum over it, sum(... for {name} in 0:{upper}), or give it on the left:"
            f" y[{name}] = ...",
        )


def _slice(ctx: Context, item: ast.Slice, extent: Size) -> Part:
    start = read_index(ctx, item.lower) if item.lower else constant_index(size(0))
    stop = read_index(ctx, item.upper) if item.upper else constant_index(extent)
    step = size(1)
    if item.step is not None:
        read = read_index(ctx, item.step)
        step = read.constant
        if read.terms or step.constant is None or step.constant < 1:
            # W408
            ctx.fail(
                item.step.span,
                "W408",
                "the step of a slice is a positive integer",
                expected="1 or more",
                found=item.step.span.text,
                help="backwards in index notation: y[i in 0:n] = x[n-1-i]"
                if item.step.span.text == "-1"
                else "",
            )
    if start.modulus is not None or stop.modulus is not None:
        ctx.fail(item.span, "W403", "the ends of a slice are affine", found=item.span.text)
    difference = stop + start.scaled(size(-1))
    if difference.terms:
        ctx.fail(
            item.span,
            "W403",
            "the length of a slice does not depend on an index",
            found=f"'{item.span.text}'",
        )
    length = difference.constant
    if negative(length - size(1)):
        # W405
        ctx.fail(
            item.span,
            "W405",
            "this slice is empty",
            expected="lower:upper with lower < upper (half-open)",
            found=f"{start.constant.shown}:{stop.constant.shown}",
            help="negative ends do not count from the end: write n-1"
            if any(_is_negative(end) for end in (item.lower, item.upper))
            else "",
        )
    check_bounds(ctx, start, extent, item.span)
    check_bounds(ctx, stop + constant_index(size(-1)), extent, item.span)
    if step.constant != 1:
        length = (length + step - size(1)).floordiv(step)
    return Part(start, step, length)


def _is_negative(end: ast.Expression | None) -> bool:
    return isinstance(end, ast.Unary) and end.op == "-"


def check_bounds(ctx: Context, index: AffineIndex, extent: Size, span: Span) -> None:
    """W402: inside for all values of the index variables."""
    outside = out_of_bounds(index, extent)
    if outside is not None:
        below = negative(outside.reached) and span.text.lstrip().startswith("-")
        ctx.fail(
            span,
            "W402",
            "this index leaves the tensor",
            expected=f"0 to {extent - size(1)}"
            + (f" (= {extent.value - 1})" if extent.value and extent.constant is None else ""),
            found=f"it reaches {outside.reached.shown}",
            help="negative indices do not count from the end: write n-1" if below else "",
        )
    if index.range() is None and not ctx.generic:
        ctx.fail(span, "W402", "the range of this index is not known")
