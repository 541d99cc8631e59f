# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gather and scatter: reading and writing at places that data says.

The indices are checked once, as a statement of their own, before anything uses them; reading at
them is then elementwise work as any other.
"""

from __future__ import annotations

from collections.abc import Callable

from weft.diagnostics import Span
from weft.semantics import typed
from weft.semantics.arguments import keyword, read_axes
from weft.semantics.arithmetic import joined
from weft.semantics.context import Context
from weft.semantics.operand import NOT_CONSTANT, Indices, Operand, make_map, materialise, scalar
from weft.semantics.sizes import Size, shape_text
from weft.semantics.types import Element, Kind
from weft.syntax import ast

OPERATIONS = ("add", "mul", "max", "min", "set")
SHOWN = 60


def gather(ctx: Context, node: ast.Call, operands: list[Operand]) -> Operand:
    """`gather(x, idx, axis=0)`: the elements of x at idx, whose shape stands for the axis."""
    source, indices = operands
    _check_tensor(ctx, node, source)
    axis = (read_axes(ctx, node, source) or [0])[0]
    safe = _checked(ctx, node, indices, source.shape[axis])
    rank = len(indices.shape)
    shape = source.shape[:axis] + indices.shape + source.shape[axis + 1 :]
    values: dict[Element, typed.Value] = {}
    if source.element is not None:
        values[source.element] = materialise(ctx, source, source.element)

    def build(at: Indices, want: Element) -> typed.Scalar:
        if want not in values:
            values[want] = materialise(ctx, source, want)
        own = [i.typed() for i in at]
        place = typed.Read(safe, tuple(own[axis : axis + rank]), node.span)
        where: tuple[typed.Affine | typed.Scalar, ...]
        where = (*own[:axis], place, *own[axis + rank :])
        return typed.ReadAt(values[want], where, node.span)

    return Operand(source.kind, source.element, shape, node.span, build)


def scatter(ctx: Context, node: ast.Call, operands: list[Operand]) -> Operand:
    """`scatter(base, idx, v, op=add)`: base, with v combined into it at idx, one by one."""
    base, indices, updates = operands
    _check_tensor(ctx, node, base)
    op = _operation(ctx, node, base)
    kind, element = joined(ctx, [base, updates], node.span)
    shape = indices.shape + base.shape[1:]
    if updates.shape and not ctx.shapes_equal(updates.shape, shape):
        # W411
        ctx.fail(
            updates.span,
            "W411",
            "the updates do not have the shape of the places that they go to",
            expected=f"{shape_text(shape)}, or a scalar",
            found=shape_text(updates.shape),
        )
    safe = _checked(ctx, node, indices, base.shape[0])

    def produce(want: Element, name: str, span: Span) -> typed.Value:
        into = materialise(ctx, base, want)
        rows = _filled(ctx, updates, want, shape)
        target = ctx.value(name, want, base.shape, span)
        ctx.block.append(typed.Scatter(target, into, safe, rows, op, node.span))
        return target

    free = base.free | updates.free
    return Operand(kind, element, base.shape, node.span, None, produce, free=free)


def _filled(
    ctx: Context, updates: Operand, element: Element, shape: tuple[Size, ...]
) -> typed.Value:
    """The updates as a tensor; a scalar fills any shape."""
    if updates.shape or not shape:
        return materialise(ctx, updates, element)

    def build(_at: Indices, want: Element) -> typed.Scalar:
        return scalar(ctx, updates, (), want)

    filled = Operand(updates.kind, updates.element, shape, updates.span, build, free=updates.free)
    return make_map(ctx, filled, element, "", updates.span)


def _check_tensor(ctx: Context, node: ast.Call, operand: Operand) -> None:
    if not operand.shape:
        # W311
        ctx.fail(
            operand.span,
            "W311",
            f"'{node.function.name}' of a scalar",
            expected="a tensor",
            found=operand.described,
        )


def _operation(ctx: Context, node: ast.Call, base: Operand) -> str:
    given = keyword(node, "op")
    if given is None:
        op = "add"
    else:
        op = given.name if isinstance(given, ast.Name) else ""
    if op not in OPERATIONS:
        assert given is not None
        # W613
        ctx.fail(
            given.span,
            "W613",
            "there is no such operation of a scatter",
            expected="add, mul, max, min or set",
            found=given.span.text,
        )
    ordered = op in ("max", "min")
    if op != "set" and (base.kind is Kind.BOOL or (ordered and base.kind is Kind.COMPLEX)):
        # W203
        ctx.fail(
            node.span,
            "W203",
            f"'{op}' is not defined for {base.element or base.described}",
            expected="op=set" if base.kind is Kind.BOOL else "op=add, mul or set",
        )
    return op


def _checked(ctx: Context, node: ast.Call, indices: Operand, extent: Size) -> typed.Value:
    """The indices as a value, after the check that they are below the extent."""
    if indices.kind is not Kind.INT:
        # W410
        ctx.fail(
            indices.span,
            "W410",
            f"the indices of '{node.function.name}' are no integers",
            expected="i32 or i64",
            found=indices.described,
            help="convert them: i64(...) rounds toward zero" if indices.kind is Kind.REAL else "",
        )
    _check_constant(ctx, indices, extent)
    source = materialise(ctx, indices, indices.default)
    target = ctx.value(source.name, source.type.element, indices.shape, indices.span)
    what = " ".join(node.span.text.split())
    if len(what) > SHOWN:
        what = what[: SHOWN - 3] + "..."
    code = ctx.kernels.fault_code()
    ctx.block.append(typed.CheckedIndices(target, source, extent.concrete, code, what, node.span))
    return target


def _check_constant(ctx: Context, indices: Operand, extent: Size) -> None:
    """A constant index is checked at once."""
    value = indices.constant
    if value is NOT_CONSTANT or not isinstance(value, int) or extent.value is None:
        return
    if not 0 <= value < extent.value:
        # W402
        ctx.fail(
            indices.span,
            "W402",
            "this index leaves the tensor",
            expected=f"0 to {extent.value - 1}",
            found=str(value),
            help="negative indices do not count from the end" if value < 0 else "",
        )


BUILTINS: dict[str, Callable[[Context, ast.Call, list[Operand]], Operand]] = {
    "gather": gather,
    "scatter": scatter,
}
ARGUMENTS: dict[str, tuple[int, set[str]]] = {"gather": (2, {"axis"}), "scatter": (3, {"op"})}
