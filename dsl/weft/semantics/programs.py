# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What only programs have: cases, the loop over time, carried values."""

from __future__ import annotations

from weft.semantics import typed
from weft.semantics.calls import fits
from weft.semantics.context import Context, Poison, Poisoned, Scope, Tensor
from weft.semantics.drafts import ForDraft, Pending
from weft.semantics.expressions import read
from weft.semantics.operand import materialise
from weft.semantics.sizes import shape_text
from weft.semantics.sizing import new_variable, read_range
from weft.syntax import ast


def check_case_place(ctx: Context, statement: ast.Case) -> None:
    """W607. What a case says is read with the signature (`signature.py`)."""
    if not ctx.is_program or ctx.time is not None:
        ctx.fail(
            statement.span,
            "W607",
            "a case stands in a program, outside of loops",
            help="move it to the head of a program",
        )


def carry(ctx: Context, statement: ast.CarryAssign) -> None:
    """`carry v = e`: before the loop the first value, in the loop the next one."""
    name = statement.name
    if not ctx.is_program:
        # W607
        ctx.fail(
            statement.span,
            "W607",
            "only programs carry values",
            help="in a kernel name the value: v = ...; loops over time belong in a program",
        )
    if ctx.time is not None:
        _next(ctx, statement)
        return
    meaning = ctx.scope.find(name.name)
    if isinstance(meaning, Tensor) and meaning.carried:
        # W610
        ctx.fail(
            name.span,
            "W610",
            f"'{name.name}' has a first value already",
            expected="one 'carry' before the loop",
        )
    if isinstance(meaning, Pending) and meaning.is_output and not meaning.regions:
        assert meaning.element is not None
        assert meaning.shape is not None
        from weft.semantics.statements import to_declared

        operand = read(ctx, statement.value)
        value = to_declared(ctx, operand, meaning.element, meaning.shape, name)
        ctx.scope.replace(name.name, Tensor(value, meaning.shape, carried=True))
        return
    ctx.check_free(name.name, name.span)
    operand = read(ctx, statement.value)
    value = materialise(ctx, operand, operand.default, name.name, name.span)
    ctx.define(name.name, name.span, Tensor(value, operand.shape, carried=True))


def _next(ctx: Context, statement: ast.CarryAssign) -> None:
    """W608, W609, W610."""
    name = statement.name
    meaning = ctx.scope.find(name.name)
    if isinstance(meaning, Poison):
        raise Poisoned
    if not isinstance(meaning, Tensor) or not meaning.carried:
        ctx.fail(
            name.span,
            "W608",
            f"'{name.name}' has no value before the loop",
            expected=f"carry {name.name} = ... before the loop",
        )
    if name.name in ctx.advanced:
        ctx.fail(
            name.span,
            "W610",
            f"'{name.name}' already has its new value in this iteration",
            expected="one 'carry' in the loop",
            help="name the values between: t = ...",
        )
    operand = read(ctx, statement.value)
    element = meaning.value.type.element
    if not ctx.shapes_equal(operand.shape, meaning.shape):
        ctx.fail(
            operand.span,
            "W609",
            f"'{name.name}' keeps its shape",
            expected=shape_text(meaning.shape),
            found=shape_text(operand.shape),
        )
    if operand.element is not None and operand.element is not element:
        ctx.fail(
            operand.span,
            "W609",
            f"'{name.name}' keeps its element type",
            expected=str(element),
            found=str(operand.element),
        )
    fits(ctx, operand, element, f"'{name.name}'")
    value = materialise(ctx, operand, element, name.name, name.span)
    ctx.advanced.add(name.name)
    ctx.base.names[name.name] = Tensor(value, meaning.shape, carried=True)


def time_loop(ctx: Context, statement: ast.For) -> None:
    """`for t in 0:niter:` of a program. The iterations run in order."""
    from weft.semantics.statements import close_block, run_block

    if len(statement.ranges) > 1 or ctx.time is not None:
        # W903
        ctx.fail(
            statement.span,
            "W903",
            "a program has loops over one variable, not nested",
            help="loops over elements belong in a kernel, or are index notation: w[i] = 2*v[i]"
            " makes a new tensor",
        )
    written = statement.ranges[0]
    lower, upper = read_range(ctx, written.range)
    scope, base, block = ctx.scope, ctx.base, ctx.block
    ctx.scope = ctx.base = Scope(scope)
    ctx.block = []
    try:
        variable = new_variable(ctx, written.name, lower, upper, in_time=True)
        draft = ForDraft(variable, statement.span, ctx.block)
        carried = _enter(ctx, statement)
        ctx.time, ctx.loop, ctx.advanced = variable, draft, set()
        run_block(ctx, statement.body)
        close_block(ctx)
        inner = ctx.scope
    finally:
        ctx.scope, ctx.base, ctx.block = scope, base, block
        ctx.time, ctx.loop = None, None
    for written_in_loop in draft.inserts:
        written_in_loop.pending.in_nest = False
    ctx.block.append(draft)
    for name, (initial, inside) in carried.items():
        _leave(ctx, draft, name, initial, inside, inner)


def _enter(ctx: Context, statement: ast.For) -> dict[str, tuple[Tensor, typed.Value]]:
    """Values that the body carries on get a name inside the loop."""
    carried: dict[str, tuple[Tensor, typed.Value]] = {}
    for inner in statement.body:
        if not isinstance(inner, ast.CarryAssign):
            continue
        name = inner.name.name
        meaning = ctx.scope.find(name)
        if not isinstance(meaning, Tensor) or not meaning.carried or name in carried:
            continue
        inside = typed.Value(ctx.fresh(), name, meaning.value.type, inner.name.span)
        carried[name] = (meaning, inside)
        ctx.scope.names[name] = Tensor(inside, meaning.shape, carried=True)
    return carried


def _leave(
    ctx: Context,
    draft: ForDraft,
    name: str,
    initial: Tensor,
    inside: typed.Value,
    inner: Scope,
) -> None:
    last = inner.names[name]
    if not isinstance(last, Tensor):
        ctx.scope.replace(name, Poison())
        return
    result = typed.Value(ctx.fresh(), name, initial.value.type, inside.span)
    draft.carries.append(typed.Carry(initial.value, inside, last.value, result))
    ctx.scope.replace(name, Tensor(result, initial.shape, carried=True))
