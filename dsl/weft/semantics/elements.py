# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assignment by elements: element loops, index notation and parts."""

from __future__ import annotations

from dataclasses import dataclass, field

from weft.semantics import cover, typed
from weft.semantics.calls import fits
from weft.semantics.context import (
    Context,
    Poison,
    Poisoned,
    ScalarConstant,
    ScalarLocal,
    Scope,
    Tensor,
)
from weft.semantics.drafts import MapDraft, Pending, Region, StoreDraft
from weft.semantics.expressions import read
from weft.semantics.indices import AffineIndex, IndexVariable, variable_index
from weft.semantics.left_names import computed_index, implied_extent
from weft.semantics.operand import Operand, aligned, axis_variable, scalar
from weft.semantics.sizes import Size, equal, shape_text, size
from weft.semantics.sizing import new_variable, read_index, read_range, read_ranges
from weft.semantics.subscript import check_bounds, read_part
from weft.semantics.types import Element
from weft.syntax import ast


@dataclass
class Nest:
    """The element loops around a statement, and the map that their statements share."""

    loops: tuple[IndexVariable, ...] = ()
    locals: list[typed.Local] = field(default_factory=list)
    draft: MapDraft | None = None

    def flush(self, ctx: Context) -> None:
        if self.draft is not None:
            ctx.block.append(self.draft)
            self.draft = None


def single(ctx: Context, statement: ast.Assign) -> None:
    """Index notation or a part outside of loops."""
    with_nest = Nest()
    touched: list[Pending] = []
    try:
        _assign(ctx, with_nest, statement, touched)
        with_nest.flush(ctx)
    finally:
        for pending in touched:
            pending.in_nest = False


def nest(ctx: Context, statement: ast.For) -> None:
    touched: list[Pending] = []
    try:
        _loop(ctx, Nest(), statement, touched)
    finally:
        for pending in touched:
            pending.in_nest = False


def _loop(ctx: Context, outer: Nest, statement: ast.For, touched: list[Pending]) -> None:
    from weft.semantics.statements import poison

    outer.flush(ctx)
    scope, ctx.scope = ctx.scope, Scope(ctx.scope)
    try:
        ends = read_ranges(ctx, statement.ranges)
        variables = tuple(
            new_variable(ctx, r.name, lower, upper)
            for r, (lower, upper) in zip(statement.ranges, ends, strict=True)
        )
        inner = Nest(outer.loops + variables, list(outer.locals))
        for child in statement.body:
            try:
                _statement(ctx, inner, child, touched)
            except Poisoned:
                poison(ctx, child)
        inner.flush(ctx)
    finally:
        ctx.scope = scope


def _statement(ctx: Context, inner: Nest, statement: ast.Statement, touched: list[Pending]) -> None:
    if isinstance(statement, ast.For):
        _loop(ctx, inner, statement, touched)
        return
    if not isinstance(statement, ast.Assign):
        word = {"Const": "const", "CarryAssign": "carry", "Case": "case"}
        # W508
        ctx.fail(
            statement.span,
            "W508",
            f"'{word[type(statement).__name__]}' does not stand in an element loop",
            help="loops over time, which carry values, belong in a program"
            if isinstance(statement, ast.CarryAssign)
            else "write it before the loop",
        )
    if len(statement.targets) > 1:
        ctx.fail(
            statement.span,
            "W508",
            "an element loop assigns one thing a statement",
            help="call kernels before the loop",
        )
    if statement.targets[0].items is not None:
        _assign(ctx, inner, statement, touched)
    else:
        _local(ctx, inner, statement)


def _local(ctx: Context, inner: Nest, statement: ast.Assign) -> None:
    """`t = x[i] * 2`: a name for a scalar at each point."""
    name = statement.targets[0].name
    if isinstance(ctx.scope.find(name.name), Pending):
        # W508
        ctx.fail(
            name.span,
            "W508",
            f"'{name.name}' is assigned as a whole in an element loop",
            expected=f"elements: {name.name}[...] = ...",
        )
    _check_no_sum(ctx, statement.value, name)
    ctx.check_free(name.name, name.span)
    operand = read(ctx, statement.value)
    if operand.shape:
        # W311
        ctx.fail(
            operand.span,
            "W311",
            "a name in an element loop is a scalar",
            found=operand.described,
            help="compute tensors before the loop",
        )
    if operand.is_constant:
        ctx.define(name.name, name.span, ScalarConstant(operand.constant, operand.kind))
        return
    value = scalar(ctx, operand, (), operand.default)
    local = typed.Local(ctx.fresh(), name.name, value, name.span)
    inner.locals.append(local)
    ctx.define(name.name, name.span, ScalarLocal(local, operand.free))


# ------------------------------------------------------------------------------ one assignment


@dataclass
class _Left:
    """The left side: an index for each dimension, and the loops that it brings along."""

    indices: list[AffineIndex] = field(default_factory=list)
    loops: list[IndexVariable] = field(default_factory=list)
    sliced: list[IndexVariable] = field(default_factory=list)
    """Those of the loops that stand for a slice, in order."""


def _assign(ctx: Context, inner: Nest, statement: ast.Assign, touched: list[Pending]) -> None:
    target = statement.targets[0]
    pending = pending_of(ctx, target)
    pending.in_nest = True
    touched.append(pending)
    scope, ctx.scope = ctx.scope, Scope(ctx.scope)
    try:
        left = _read_left(ctx, pending, target, statement.value)
        operand = read(ctx, statement.value)
        _check_right(ctx, left, target, operand)
        if pending.element is None:
            pending.element = operand.default
        fits(ctx, operand, pending.element, f"'{pending.name}'")
        indices = aligned(operand, tuple(variable_index(v) for v in left.sliced))
        value = scalar(ctx, operand, indices, pending.element)
        loops = inner.loops + tuple(left.loops)
        region = Region(tuple(left.indices), loops, target.span)
        cover.check_region(ctx, pending, region)
    except Poisoned:
        pending.poisoned = True
        raise
    finally:
        ctx.scope = scope
    pending.regions.append(region)
    store = StoreDraft(pending, tuple(i.typed() for i in left.indices), value, statement.span)
    _add_store(ctx, inner, store, tuple(left.loops))


def _add_store(
    ctx: Context, inner: Nest, store: StoreDraft, extra: tuple[IndexVariable, ...]
) -> None:
    """Statements with the same loops share a map."""
    if extra:
        inner.flush(ctx)
        draft = MapDraft(inner.loops + extra, tuple(inner.locals), [store], store.span)
        store.pending.steps.append(draft)
        ctx.block.append(draft)
        return
    if inner.draft is None:
        inner.draft = MapDraft(inner.loops, (), [], store.span)
    draft = inner.draft
    draft.locals = tuple(inner.locals)
    draft.stores.append(store)
    if draft not in store.pending.steps:
        store.pending.steps.append(draft)


def pending_of(ctx: Context, target: ast.Target) -> Pending:
    """What the name on the left is: an output, or a tensor that begins here. W401, W506, W507."""
    name = target.name
    meaning = ctx.scope.find(name.name)
    assert target.items is not None
    if isinstance(meaning, Poison):
        raise Poisoned
    if meaning is None:
        made = Pending(name.name, name.span, is_output=False)
        ctx.check_free(name.name, name.span)
        ctx.base.names[name.name] = made
        ctx.base.spans[name.name] = name.span
        return made
    if isinstance(meaning, Tensor) and not meaning.is_input:
        ctx.fail(
            name.span,
            "W506",
            f"'{name.name}' is already whole",
            help="assign all elements before the value is read, and not after a whole assignment",
        )
    if not isinstance(meaning, Pending):
        ctx.check_free(name.name, name.span)
        raise Poisoned
    rank = len(meaning.shape) if meaning.shape is not None else None
    if rank is None and meaning.regions:
        rank = len(meaning.regions[0].indices)
    if rank is not None and rank != len(target.items):
        ctx.fail(
            target.span,
            "W401",
            f"'{name.name}' has {rank} dimensions",
            expected=f"{rank} indices" if rank else f"{name.name} = ... (it is a scalar)",
            found=str(len(target.items)),
            help=_whole_dimensions(target, rank),
        )
    return meaning


def _whole_dimensions(target: ast.Target, rank: int) -> str:
    """A row that is assigned as in NumPy says so here: `y[i, :]`."""
    items = [item.span.text for item in target.items or ()]
    if len(items) >= rank:
        return ""
    whole = ", ".join(items + [":"] * (rank - len(items)))
    return f"a dimension as a whole is ':', as in {target.name.name}[{whole}]"


def _read_left(ctx: Context, pending: Pending, target: ast.Target, right: ast.Expression) -> _Left:
    assert target.items is not None
    left = _Left()
    shape = pending.shape or (None,) * len(target.items)
    for axis, (item, extent) in enumerate(zip(target.items, shape, strict=True)):
        if isinstance(item, ast.NamedRange):
            lower, upper = read_range(ctx, item.range)
            variable = new_variable(ctx, item.name, lower, upper)
            left.loops.append(variable)
            index = variable_index(variable)
        elif isinstance(item, ast.Slice):
            index = _sliced(ctx, left, pending, item, extent, axis)
        elif isinstance(item, ast.Name) and ctx.scope.find(item.name) is None:
            end = implied_extent(ctx, item, extent, right)
            variable = new_variable(ctx, item, size(0), end)
            left.loops.append(variable)
            index = variable_index(variable)
        else:
            index = computed_index(ctx, item, target, right)
        if extent is not None:
            check_bounds(ctx, index, extent, item.span)
        elif (low := index.range()) is not None and low[0].value is not None:
            check_bounds(ctx, index, low[1] + size(1), item.span)
        if any(v.in_time for v in index.variables):
            # W614
            ctx.fail(
                item.span,
                "W614",
                f"'{pending.name}' begins in the loop, and its elements are of one iteration",
                help="only outputs are given an element or a row an iteration; what stays from one"
                " to the next is carried",
            )
        left.indices.append(index)
    return left


def _sliced(
    ctx: Context,
    left: _Left,
    pending: Pending,
    item: ast.Slice,
    extent: Size | None,
    axis: int,
) -> AffineIndex:
    if extent is None:
        if item.upper is None and pending.extent_asked:
            raise Poisoned
        if item.upper is None:
            pending.extent_asked = True
            # W903
            ctx.fail(
                item.span,
                "W903",
                "the extent of this tensor is not known yet",
                help="write both ends of the slice: 0:n",
            )
        last = read_index(ctx, item.upper)
        extent = last.constant
    part = read_part(ctx, item, extent)
    assert part.extent is not None
    variable = axis_variable(ctx, axis, part.extent, item.span)
    left.loops.append(variable)
    left.sliced.append(variable)
    return part.at(variable_index(variable))


def _check_right(ctx: Context, left: _Left, target: ast.Target, operand: Operand) -> None:
    """W311."""
    if operand.shape and not left.sliced:
        items = [item.span.text for item in target.items or ()]
        part = ", ".join([*items, *(f"0:{extent}" for extent in operand.shape)])
        ctx.fail(
            operand.span,
            "W311",
            "an element is a scalar",
            expected="an index for every dimension",
            found=operand.described,
            help=f"whole dimensions are slices: {target.name.name}[{part}]"
            if not left.loops
            else "",
        )
    check_part(ctx, tuple(v.upper for v in left.sliced), operand)


def check_part(ctx: Context, shape: tuple[Size, ...], operand: Operand) -> None:
    """W302: the right side has the shape of the slices on the left."""
    pairs = list(zip(reversed(operand.shape), reversed(shape), strict=False))
    wrong = any(own.constant != 1 and equal(own, want) is False for own, want in pairs)
    if wrong or len(operand.shape) > len(shape):
        ctx.fail(
            operand.span,
            "W302",
            "this does not have the shape of the part on the left",
            expected=shape_text(shape),
            found=shape_text(operand.shape),
        )


def _check_no_sum(ctx: Context, value: ast.Expression, name: ast.Name) -> None:
    """W103, W101: `s = s + x[i]`."""
    uses = [n for n in ast.walk(value) if isinstance(n, ast.Name) and n.name == name.name]
    if not uses or isinstance(ctx.scope.find(name.name), Poison):
        return
    defined = ctx.scope.find(name.name) is not None
    ctx.fail(
        name.span if defined else uses[0].span,
        "W103" if defined else "W101",
        f"'{name.name}' does not change from one iteration to the next"
        if defined
        else f"unknown name '{name.name}'",
        expected="a new name: values do not change" if defined else "",
        help=f"sum over the range: {name.name} = sum(... for i in 0:n), or prod, max, min"
        + ("; steps one after the other are a program's: carry" if defined else ""),
    )


def scalar_of(ctx: Context, operand: Operand, want: Element) -> typed.Scalar:
    """The one element of a scalar operand."""
    return scalar(ctx, operand, (), want)
