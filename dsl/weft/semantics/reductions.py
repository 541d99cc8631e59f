# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sum, prod, max and min, over tensors and over ranges, and the matrix product."""

from __future__ import annotations

from typing import Any

from weft.diagnostics import Span
from weft.semantics import typed, winograd
from weft.semantics.arguments import read_axes
from weft.semantics.arithmetic import joined
from weft.semantics.context import Context, Scope
from weft.semantics.indices import IndexVariable, variable_index
from weft.semantics.operand import (
    Indices,
    Operand,
    axis_variable,
    broadcast,
    make_map,
    scalar,
)
from weft.semantics.sizes import Size, equal, shape_text
from weft.semantics.sizing import new_variable, read_ranges
from weft.semantics.types import Element, Kind
from weft.syntax import ast

KINDS = ("sum", "prod", "max", "min")


def reduction(ctx: Context, node: ast.Call, operand: Operand) -> Operand:
    """`sum(x)`, `sum(x, axis=0)`, `max(x, axes=[0, 1])`."""
    name = node.function.name
    _check_kind(ctx, name, operand, node.span)
    if not operand.shape:
        # W311
        ctx.fail(
            operand.span,
            "W311",
            f"'{name}' of a scalar",
            expected="a tensor, or a range: sum(expression for i in 0:n)",
            found=operand.described,
        )
    axes = read_axes(ctx, node, operand)
    reduced = sorted(axes if axes is not None else range(len(operand.shape)))
    kept = [a for a in range(len(operand.shape)) if a not in reduced]
    shape = tuple(operand.shape[a] for a in kept)
    span = node.span

    def build(indices: Indices, want: Element) -> typed.Scalar:
        variables = tuple(axis_variable(ctx, a, operand.shape[a], span) for a in reduced)
        own = dict(zip(kept, indices, strict=True))
        own.update((a, variable_index(v)) for a, v in zip(reduced, variables, strict=True))
        body = scalar(ctx, operand, tuple(own[a] for a in sorted(own)), want)
        return typed.Reduce(name, tuple(v.loop() for v in variables), body, want, span)

    return _once(ctx, operand.kind, operand.element, shape, span, build, operand.free)


def _check_kind(ctx: Context, name: str, operand: Operand, span: Span) -> None:
    # W203
    if operand.kind is Kind.BOOL or (operand.kind is Kind.COMPLEX and name in ("max", "min")):
        ctx.fail(
            span,
            "W203",
            f"'{name}' is not defined for {operand.element or operand.described}",
            help="count with sum(where(condition, 1, 0))"
            if operand.kind is Kind.BOOL
            else "take the extreme of abs2(x)",
        )


def _once(
    ctx: Context,
    kind: Kind,
    element: Element | None,
    shape: tuple[Size, ...],
    span: Span,
    build: Any,
    free: frozenset[Any],
) -> Operand:
    """An operand too dear to compute again at each use: a map of its own, where it can be."""
    if free:
        return Operand(kind, element, shape, span, build, free=free)
    inline = Operand(kind, element, shape, span, build)

    def produce(want: Element, name: str, place: Span) -> typed.Value:
        return make_map(ctx, inline, want, name, place)

    return Operand(kind, element, shape, span, build, produce)


def comprehension_scope(
    ctx: Context, ranges: tuple[ast.NamedRange, ...]
) -> tuple[list[IndexVariable], Scope]:
    """The names of `for i in 0:n, j in 0:m`; a later range may not use an earlier name."""
    ends = read_ranges(ctx, ranges)
    outer = ctx.scope
    ctx.scope = Scope(outer)
    try:
        variables = [
            new_variable(ctx, r.name, lower, upper)
            for r, (lower, upper) in zip(ranges, ends, strict=True)
        ]
        return variables, ctx.scope
    finally:
        ctx.scope = outer


def comprehension(
    ctx: Context, name: str, variables: list[IndexVariable], body: Operand, span: Span
) -> Operand:
    """`sum(expression for k in 0:K)`; the expression may be a tensor, summed by elements."""
    _check_kind(ctx, name, body, span)

    def build(indices: Indices, want: Element) -> typed.Scalar:
        inner = scalar(ctx, body, indices, want)
        return typed.Reduce(name, tuple(v.loop() for v in variables), inner, want, span)

    free = body.free - frozenset(variables)
    return _once(ctx, body.kind, body.element, body.shape, span, build, free)


def matrix_product(ctx: Context, left: Operand, right: Operand, span: Span) -> Operand:
    """`a @ b` as NumPy has it: the last axis of a with the last but one of b."""
    for side in (left, right):
        if not side.shape:
            # W311
            ctx.fail(side.span, "W311", "'@' takes tensors", found=side.described, help="use *")
        _check_kind(ctx, "sum", side, span)
    inner_left, inner_right = left.shape[-1], right.shape[-2 if len(right.shape) > 1 else -1]
    if equal(inner_left, inner_right) is False:
        # W301
        ctx.fail(
            span,
            "W301",
            "the inner extents of '@' differ",
            expected=f"{inner_left.shown} rows on the right",
            found=f"{shape_text(left.shape)} @ {shape_text(right.shape)}",
        )
    kind, element = joined(ctx, [left, right], span)
    if element is not None and (left.matrix is not None or right.matrix is not None):
        return winograd.transform(ctx, left, right, element, span)
    batch_left = Operand(kind, element, left.shape[:-2], left.span)
    batch_right = Operand(kind, element, right.shape[:-2], right.span)
    batch = broadcast(ctx, [batch_left, batch_right], span) if _any_batch(left, right) else ()
    rows = left.shape[-2:-1]
    columns = right.shape[-1:] if len(right.shape) > 1 else ()

    def build(indices: Indices, want: Element) -> typed.Scalar:
        k = axis_variable(ctx, 0, inner_left, span)
        outer, rest = indices[: len(batch)], indices[len(batch) :]
        at = (variable_index(k),)
        row, column = rest[: len(rows)], rest[len(rows) :]
        a = scalar(ctx, left, _batch_of(batch_left, outer) + row + at, want)
        b = scalar(ctx, right, _batch_of(batch_right, outer) + at + column, want)
        product = typed.Binary("mul", a, b, want, span)
        return typed.Reduce("sum", (k.loop(),), product, want, span)

    shape = batch + rows + columns
    return _once(ctx, kind, element, shape, span, build, left.free | right.free)


def _any_batch(left: Operand, right: Operand) -> bool:
    return len(left.shape) > 2 or len(right.shape) > 2


def _batch_of(batch: Operand, outer: Indices) -> Indices:
    from weft.semantics.operand import aligned

    return aligned(batch, outer)
