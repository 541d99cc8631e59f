# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`const` scalars and tables: evaluated here, exactly or in extended precision."""

from __future__ import annotations

import numpy as np

from weft.diagnostics import Span
from weft.semantics import consts
from weft.semantics.context import ConstantTable, Context, ScalarConstant, Scope
from weft.semantics.expressions import read
from weft.semantics.operand import UNKNOWN
from weft.semantics.sizes import Size
from weft.semantics.sizing import read_ranges
from weft.semantics.table_access import add_axis, as_array, not_constant
from weft.syntax import ast


def define(ctx: Context, statement: ast.Const) -> None:
    ctx.check_free(statement.name.name, statement.name.span)
    ends = read_ranges(ctx, statement.ranges)
    shape = tuple(upper for _, upper in ends)
    for r, (lower, _) in zip(statement.ranges, ends, strict=True):
        if lower.constant != 0:
            # W701
            ctx.fail(
                r.range.lower.span, "W701", "a table begins at 0", expected="0:n", found=lower.shown
            )
    _check_count(ctx, shape, statement.span)
    scope, ctx.scope = ctx.scope, Scope(ctx.scope)
    depth, ctx.table_axes = ctx.table_axes, 0
    try:
        for r, (lower, upper) in reversed(list(zip(statement.ranges, ends, strict=True))):
            add_axis(ctx, r.name, lower, upper)
        ctx.in_constant = True
        operand = read(ctx, statement.value)
    finally:
        ctx.scope, ctx.table_axes, ctx.in_constant = scope, depth, False
    if not operand.is_constant:
        not_constant(ctx, statement.value.span)
    name, span = statement.name.name, statement.name.span
    if not statement.ranges:
        ctx.define(name, span, ScalarConstant(operand.constant, operand.kind))
        return
    data = None
    if operand.constant is not UNKNOWN:
        data = np.broadcast_to(as_array(operand), [s.concrete for s in shape])
    ctx.define(name, span, ConstantTable(name, shape, operand.kind, data, span))


def _check_count(ctx: Context, shape: tuple[Size, ...], span: Span) -> None:
    count = 1
    for extent in shape:
        count *= max(1, extent.concrete)
    if count > consts.MAX_TABLE_ELEMENTS:
        # W703
        ctx.fail(
            span,
            "W703",
            "this table is too big",
            expected="at most 2^21 entries: they become C text",
            found=str(count),
            help="pass it as an input, or compute it where it is used",
        )
