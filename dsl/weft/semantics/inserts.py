# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an iteration of a loop over time gives to an output: `sums[t] = e`, and rows, `y[t] = v`.

The dimensions of a row are whole ones: those of the part that an iteration computes.
"""

from __future__ import annotations

from typing import NamedTuple, NoReturn, TypeAlias

from weft.semantics import cover, elements, typed
from weft.semantics.calls import fits
from weft.semantics.context import Context, Scope
from weft.semantics.drafts import InsertDraft, Pending, Region
from weft.semantics.expressions import read
from weft.semantics.indices import AffineIndex, IndexVariable, variable_index
from weft.semantics.operand import Operand, aligned, axis_variable, make_map, materialise, scalar
from weft.semantics.sizes import Size
from weft.semantics.sizing import read_index
from weft.semantics.subscript import check_bounds
from weft.syntax import ast

Item: TypeAlias = "ast.Item | None"
"""An index on the left; None for a dimension that is not written, as the second one of `y[t]`."""


class Given(NamedTuple):
    """What a statement gives: `shape` is that of the row, nothing for an element."""

    statement: ast.Assign
    pending: Pending
    items: list[Item]
    shape: tuple[Size, ...]


def insert(ctx: Context, statement: ast.Assign) -> None:
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
            help="only outputs are given elements or rows in each iteration",
        )
    if len(target.items) > len(shape):
        elements.pending_of(ctx, target)
    items: list[Item] = [*target.items, *(None,) * (len(shape) - len(target.items))]
    whole = [
        _is_whole(ctx, item, extent, statement) for item, extent in zip(items, shape, strict=True)
    ]
    if all(whole):
        ctx.fail(
            target.span,
            "W614",
            f"the output '{pending.name}' is assigned in every iteration",
            expected=f"an index such as {ctx.time.name}, or one assignment after the loop",
            help=f"carry it: carry all = ... in the loop, {pending.name} = all after it",
        )
    indices: list[AffineIndex] = []
    row: list[IndexVariable] = []
    for axis, (item, extent) in enumerate(zip(items, shape, strict=True)):
        if whole[axis]:
            row.append(axis_variable(ctx, axis, extent, target.span))
            indices.append(variable_index(row[-1]))
            continue
        assert item is not None
        assert not isinstance(item, ast.Slice | ast.NamedRange)
        index = read_index(ctx, item)
        check_bounds(ctx, index, extent, item.span)
        indices.append(index)
    value = _value(ctx, Given(statement, pending, items, tuple(v.upper for v in row)))
    region = Region(tuple(indices), (ctx.time, *row), target.span)
    cover.check_region(ctx, pending, region)
    pending.regions.append(region)
    pending.in_nest = True
    places = tuple(None if w else i.typed() for w, i in zip(whole, indices, strict=True))
    draft = InsertDraft(pending, places, value, statement.span)
    ctx.block.append(draft)
    ctx.loop.inserts.append(draft)
    if ctx.loop not in pending.steps:
        pending.steps.append(ctx.loop)


def _is_whole(ctx: Context, item: Item, extent: Size, statement: ast.Assign) -> bool:
    """Whether an index stands for a dimension. W614: parts of one cannot be given; W101: beside the
    loop's variable, an index that the right side has not."""
    if item is None:
        return True
    if isinstance(item, ast.Name):
        is_open = _is_open(ctx, item, statement.value)
        others = statement.targets[0].items or ()
        has_time = any(isinstance(o, ast.Name) and o.name == _time(ctx) for o in others)
        if has_time and not is_open and ctx.scope.find(item.name) is None:
            _fail_unknown(ctx, item, statement)
        return is_open
    if not isinstance(item, ast.Slice | ast.NamedRange):
        return False
    written = item.range.span if isinstance(item, ast.NamedRange) else item.span
    if written.text.replace(" ", "") not in (":", "::", f"0:{extent}".replace(" ", "")):
        ctx.fail(
            item.span,
            "W614",
            "in a program's loop an iteration gives elements or whole rows",
            expected=f"an index such as {_time(ctx)}, or ':'",
            found=item.span.text,
            help=f"put the row together first: row[{item.span.text}] = ... and its other elements,"
            f" then {statement.targets[0].name.name}[{_time(ctx)}] = row",
        )
    return True


def _time(ctx: Context) -> str:
    assert ctx.time is not None
    return ctx.time.name


def _fail_unknown(ctx: Context, item: ast.Name, statement: ast.Assign) -> NoReturn:
    """W101: an index that nothing on the right has."""
    target = statement.targets[0]
    assert target.items is not None
    places = [":" if one is item else one.span.text for one in target.items if one is not None]
    ctx.fail(
        item.span,
        "W101",
        f"unknown name '{item.name}'",
        expected=f"an index of what is given, as in v[{item.name}], or ':'",
        help=f"all of them at once: {target.name.name}[{', '.join(places)}]"
        f" = {statement.value.span.text}",
    )


def _is_open(ctx: Context, item: Item, right: ast.Expression) -> bool:
    """Whether it is an index as index notation has them, `y[t, i] = v[i]`, `y[t, i in 0:n]`."""
    if isinstance(item, ast.NamedRange):
        return True
    return (
        isinstance(item, ast.Name)
        and ctx.scope.find(item.name) is None
        and any(isinstance(node, ast.Name) and node.name == item.name for node in ast.walk(right))
    )


def _value(ctx: Context, given: Given) -> typed.Value:
    """The element, a scalar, or the row."""
    statement, pending, items, shape = given
    assert pending.element is not None
    if any(_is_open(ctx, item, statement.value) for item in items):
        return _by_elements(ctx, given)
    operand = read(ctx, statement.value)
    if operand.shape and not shape:
        # W311
        ctx.fail(
            operand.span,
            "W311",
            "an element is a scalar",
            expected="a number of each iteration, such as sum(v) or v[0]",
            found=operand.described,
        )
    elements.check_part(ctx, shape, operand)
    fits(ctx, operand, pending.element, f"'{pending.name}'")
    if ctx.shapes_equal(operand.shape, shape):
        return materialise(ctx, operand, pending.element, pending.name if shape else "")
    return _repeated(ctx, operand, given)


def _repeated(ctx: Context, operand: Operand, given: Given) -> typed.Value:
    """`y[t] = 0.0`: what has fewer dimensions, or extents of 1, everywhere in the row."""
    pending = given.pending
    assert pending.element is not None
    filled = Operand(
        operand.kind,
        operand.element,
        given.shape,
        operand.span,
        lambda indices, want: scalar(ctx, operand, aligned(operand, indices), want),
        free=operand.free,
    )
    return make_map(ctx, filled, pending.element, pending.name, operand.span)


def _by_elements(ctx: Context, given: Given) -> typed.Value:
    """`y[t, i] = 2*v[i]`: the row is a tensor in index notation, of the output's name."""
    statement, pending, items, shape = given
    target = statement.targets[0]
    open_items: list[ast.Item] = []
    for item in items:
        if item is None:
            elements.pending_of(ctx, target)  # says how many indices there are
        elif isinstance(item, ast.Slice) or _is_open(ctx, item, statement.value):
            open_items.append(item)
    row = Pending(pending.name, target.span, False, pending.element, shape)
    scope, base = ctx.scope, ctx.base
    ctx.scope = ctx.base = Scope(scope)
    ctx.scope.names[pending.name] = row
    try:
        part = ast.Target(target.name, tuple(open_items), target.span)
        elements.single(ctx, ast.Assign((part,), statement.value, statement.span))
        return cover.complete(ctx, row, None).value
    finally:
        ctx.scope, ctx.base = scope, base
