# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What only programs have: cases, the loop over time, carried values, elements an iteration."""

from __future__ import annotations

import re
from collections.abc import Sequence

from weft.semantics import cover, typed
from weft.semantics.calls import fits
from weft.semantics.context import Context, Poison, Poisoned, Scope, Tensor
from weft.semantics.drafts import ForDraft, InsertDraft, Pending, Region
from weft.semantics.elements import pending_of
from weft.semantics.expressions import read
from weft.semantics.operand import materialise
from weft.semantics.sizes import Size, shape_text
from weft.semantics.sizing import new_variable, read_index, read_range
from weft.semantics.subscript import check_bounds
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


def insert(ctx: Context, statement: ast.Assign) -> None:
    """`sums[t] = e`: an element of an output in each iteration."""
    target = statement.targets[0]
    assert target.items is not None
    assert ctx.time is not None
    assert ctx.loop is not None
    pending = ctx.scope.find(target.name.name)
    assert isinstance(pending, Pending)
    shape = pending.shape
    if shape is None:
        # W614
        ctx.fail(
            target.span,
            "W614",
            f"'{pending.name}' is no output",
            help="only outputs are assigned an element an iteration",
        )
    if len(target.items) > len(shape):
        pending_of(ctx, target)
    # A row without its ':' is one, and not an element with too few indices.
    items = [*target.items, *(None,) * (len(shape) - len(target.items))]
    for item in items:
        if (
            item is None
            or isinstance(item, ast.Slice | ast.NamedRange)
            or (isinstance(item, ast.Name) and _is_named_there(ctx, item, statement.value))
        ):
            ctx.fail(
                target.span if item is None else item.span,
                "W614",
                "in a program's loop one element is assigned, not a part",
                expected=f"an index for each dimension, such as {ctx.time.name}",
                help=_collected(ctx, pending.name, shape, items, statement.value),
            )
    indices = []
    for item, extent in zip(target.items, shape, strict=True):
        assert not isinstance(item, ast.Slice | ast.NamedRange)
        index = read_index(ctx, item)
        check_bounds(ctx, index, extent, item.span)
        indices.append(index)
    operand = read(ctx, statement.value)
    if operand.shape:
        # W311
        ctx.fail(
            operand.span,
            "W311",
            "an element is a scalar",
            expected="a number of each iteration, such as sum(v) or v[0]",
            found=operand.described,
        )
    assert pending.element is not None
    fits(ctx, operand, pending.element, f"'{pending.name}'")
    region = Region(tuple(indices), (ctx.time,), target.span)
    cover.check_region(ctx, pending, region)
    element = materialise(ctx, operand, pending.element)
    pending.regions.append(region)
    pending.in_nest = True
    draft = InsertDraft(pending, tuple(i.typed() for i in indices), element, statement.span)
    ctx.block.append(draft)
    ctx.loop.inserts.append(draft)
    if ctx.loop not in pending.steps:
        pending.steps.append(ctx.loop)


def _collected(
    ctx: Context,
    name: str,
    shape: Sequence[Size],
    items: Sequence[ast.Item | None],
    right: ast.Expression,
) -> str:
    """How the parts of all iterations become a tensor: one is carried, which takes them in."""
    known = ctx.scope.all_names() | {
        item.name if isinstance(item, ast.Name) else item.name.name
        for item in items
        if isinstance(item, ast.Name | ast.NamedRange)
    }
    letters = (letter for letter in "sijklmpqruw" if letter not in known)
    places: list[str] = []
    sliced: list[str] = []
    conditions: list[str] = []
    for item, extent in zip(items, shape, strict=True):
        if isinstance(item, ast.Slice | ast.NamedRange) and not _is_whole(item, extent):
            return "carry the whole tensor, and give it new values by a kernel"
        if isinstance(item, ast.NamedRange):
            places.append(item.name.name)
        elif isinstance(item, ast.Name) and ctx.scope.find(item.name) is None:
            places.append(item.name)
        else:
            places.append(next(letters, "_"))
            if item is None or isinstance(item, ast.Slice):
                sliced.append(places[-1])
            else:
                conditions.append(f"{places[-1]} == {item.span.text}")
    value = right.span.text
    if sliced:
        value = f"{right.name if isinstance(right, ast.Name) else 'part'}[{', '.join(sliced)}]"
    index = ", ".join(places)
    if not conditions:  # the same part in all iterations
        return f"carry it: carry all = ... in the loop, {name} = all after it"
    value = f"where({' and '.join(conditions)}, {value}, all[{index}])"
    return (
        f"carry them together: carry all = ... before the loop; in it new[{index}] = {value} and"
        f" carry all = new; {name} = all after it"
    )


def _is_named_there(ctx: Context, item: ast.Name, right: ast.Expression) -> bool:
    """Whether it is an index as index notation has them, `y[t, i] = v[i]`."""
    return ctx.scope.find(item.name) is None and item.name in re.findall(r"\w+", right.span.text)


def _is_whole(item: ast.Slice | ast.NamedRange, extent: Size) -> bool:
    written = item.range.span if isinstance(item, ast.NamedRange) else item.span
    return written.text.replace(" ", "") in (":", "::", f"0:{extent}".replace(" ", ""))
