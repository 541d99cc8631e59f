# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inside a `const`: index names as arrays, elements of other tables, sums over ranges.

An index name of a table is the array of its values, along an axis of its own; expressions then
fold as other constants do. Later names get leading axes, so that arrays broadcast by themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from weft.diagnostics import Span
from weft.semantics import consts, winograd
from weft.semantics.context import (
    ConstantTable,
    Context,
    Poison,
    Poisoned,
    ScalarConstant,
    Scope,
)
from weft.semantics.operand import UNKNOWN, Operand, weak
from weft.semantics.sizes import Size
from weft.semantics.sizing import read_ranges
from weft.semantics.types import Kind
from weft.syntax import ast

Reader = Callable[[Context, ast.Expression], Operand]


def not_constant(ctx: Context, span: Span) -> NoReturn:
    # W701
    ctx.fail(
        span,
        "W701",
        "this is not constant",
        expected="numbers, sizes, index names, constants and functions of them",
        found=f"'{span.text[:40]}'",
        help="name a computed value without 'const'",
    )


def add_axis(ctx: Context, name: ast.Name, lower: Size, upper: Size) -> None:
    """Define an index name as the array of its values, on a new leading axis."""
    value: Any = UNKNOWN
    if lower.value is not None and upper.value is not None:
        if upper.value - lower.value > consts.MAX_TABLE_ELEMENTS:
            # W703
            ctx.fail(
                name.span,
                "W703",
                f"'{name.name}' runs over too much for a constant",
                expected="at most 2^21 values",
                found=str(upper.value - lower.value),
                help="without 'const' it is computed when the kernel runs",
            )
        value = np.arange(lower.value, upper.value, dtype=np.int64)
        value = value.reshape((-1,) + (1,) * ctx.table_axes)
    ctx.table_axes += 1
    ctx.define(name.name, name.span, ScalarConstant(value, Kind.INT))


def as_array(operand: Operand) -> np.ndarray:
    value = operand.constant
    if isinstance(value, np.ndarray):
        return value
    if operand.kind is Kind.INT:
        return np.asarray(value, dtype=np.int64)
    if operand.kind is Kind.BOOL:
        return np.asarray(value, dtype=bool)
    return np.asarray(consts.extended(value))


def read_table_element(ctx: Context, node: ast.Subscript, read: Reader) -> Operand:
    """`kx[i]` within a const: an element of another table."""
    base = node.base
    table: object = ctx.scope.find(base.name) if isinstance(base, ast.Name) else None
    if isinstance(base, ast.Attribute):
        table = winograd.table(ctx, base, read)
    if isinstance(table, Poison):
        raise Poisoned
    if not isinstance(table, ConstantTable):
        not_constant(ctx, node.span)
    indices: list[Operand] = []
    for item in node.items:
        if isinstance(item, (ast.Slice, ast.NamedRange)):
            ctx.fail(item.span, "W701", "a const reads single elements of tables")
        index = read(ctx, item)
        if index.kind is not Kind.INT or not index.is_constant:
            # W207
            ctx.fail(item.span, "W207", "an index is a constant integer", found=index.described)
        indices.append(index)
    if len(indices) != len(table.shape):
        # W401
        ctx.fail(
            node.span,
            "W401",
            f"'{table.name}' has {len(table.shape)} dimensions",
            found=f"{len(indices)} indices",
        )
    if table.data is None or any(i.constant is UNKNOWN for i in indices):
        return weak(table.kind, UNKNOWN, node.span)
    values = [np.asarray(i.constant) for i in indices]
    for value, extent, item in zip(values, table.data.shape, node.items, strict=True):
        if value.min() < 0 or value.max() >= extent:
            # W402
            ctx.fail(
                item.span,
                "W402",
                "this index leaves the table",
                expected=f"0 to {extent - 1}",
                found=f"it reaches {value.min() if value.min() < 0 else value.max()}",
            )
    picked = table.data[tuple(values)]
    return weak(table.kind, picked if picked.ndim else picked[()], node.span)


def read_comprehension(ctx: Context, node: ast.Call, read: Reader) -> Operand:
    """`sum(w[m] for m in 0:n)` within a const."""
    op = {"sum": "add", "prod": "mul", "max": "max", "min": "min"}[node.function.name]
    ends = read_ranges(ctx, node.ranges)
    scope, ctx.scope = ctx.scope, Scope(ctx.scope)
    before = ctx.table_axes
    try:
        for r, (lower, upper) in zip(node.ranges, ends, strict=True):
            add_axis(ctx, r.name, lower, upper)
        body = read(ctx, node.arguments[0])
    finally:
        ctx.scope, ctx.table_axes = scope, before
    if not body.is_constant:
        not_constant(ctx, node.span)
    if body.constant is UNKNOWN or any(u.value is None for _, u in ends):
        return weak(body.kind, UNKNOWN, node.span)
    counts = [upper.concrete - lower.concrete for lower, upper in reversed(ends)]
    values = as_array(body)
    kept = values.shape[max(0, values.ndim - before) :] if before else ()
    full = (*counts, *((1,) * (before - len(kept))), *kept)
    if int(np.prod(full, dtype=object)) > consts.MAX_TABLE_ELEMENTS:
        # W703
        ctx.fail(node.span, "W703", "this sum has too many terms", expected="at most 2^21")
    spread = np.broadcast_to(values, full).reshape((-1, *full[len(counts) :]))
    total: Any = spread[0]
    try:
        for row in spread[1:]:
            total = consts.apply(op, total, row)
    except consts.ConstantError as error:
        # W702
        ctx.fail(node.span, "W702", str(error), expected="a finite number within its type")
    return weak(body.kind, total if np.ndim(total) else np.asarray(total)[()], node.span)
