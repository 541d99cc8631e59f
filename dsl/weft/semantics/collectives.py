# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""alltoall, allreduce, allgather, own: what the groups of a kernel over groups exchange.

Each is a statement of whole tensors that all groups reach together: a program has no branches, so
that the groups of one program cannot come to different ones.
"""

from __future__ import annotations

from collections.abc import Callable

from weft.diagnostics import Span
from weft.semantics import typed
from weft.semantics.arguments import keyword
from weft.semantics.context import Context
from weft.semantics.operand import Operand, materialise
from weft.semantics.sizes import Size, equal, size
from weft.semantics.sizing import read_integer
from weft.semantics.types import Element, Kind
from weft.syntax import ast

OPERATIONS = ("add", "mul", "max", "min")


def alltoall(ctx: Context, node: ast.Call, operand: Operand) -> Operand:
    """`alltoall(x, split=1, concat=0)`."""
    groups = _groups(ctx, node)
    split, concat = _axis(ctx, node, operand, "split"), _axis(ctx, node, operand, "concat")
    shape = list(operand.shape)
    shape[split] = _shared(ctx, node, operand, split, groups)
    shape[concat] = ctx.guarded(node.span, lambda: shape[concat] * groups)

    def make(target: typed.Value, source: typed.Value) -> typed.Statement:
        return typed.Alltoall(target, source, split, concat, node.span)

    return _statement(ctx, operand, tuple(shape), node.span, make)


def allgather(ctx: Context, node: ast.Call, operand: Operand) -> Operand:
    """`allgather(x, axis=0)`."""
    groups = _groups(ctx, node)
    axis = _axis(ctx, node, operand, "axis")
    shape = list(operand.shape)
    shape[axis] = ctx.guarded(node.span, lambda: shape[axis] * groups)

    def make(target: typed.Value, source: typed.Value) -> typed.Statement:
        return typed.Allgather(target, source, axis, node.span)

    return _statement(ctx, operand, tuple(shape), node.span, make)


def own(ctx: Context, node: ast.Call, operand: Operand) -> Operand:
    """`own(x, axis=0)`: the inverse of allgather, of a value that is the same in all groups."""
    groups = _groups(ctx, node)
    axis = _axis(ctx, node, operand, "axis")
    shape = list(operand.shape)
    shape[axis] = _shared(ctx, node, operand, axis, groups)

    def make(target: typed.Value, source: typed.Value) -> typed.Statement:
        return typed.Own(target, source, axis, node.span)

    return _statement(ctx, operand, tuple(shape), node.span, make)


def allreduce(ctx: Context, node: ast.Call, operand: Operand) -> Operand:
    """`allreduce(x, op=add)`."""
    _groups(ctx, node)
    op = _operation(ctx, node, operand)

    def make(target: typed.Value, source: typed.Value) -> typed.Statement:
        return typed.Allreduce(target, source, op, node.span)

    return _statement(ctx, operand, operand.shape, node.span, make)


def _groups(ctx: Context, node: ast.Call) -> Size:
    if ctx.groups is None:
        # W624
        ctx.fail(
            node.function.span,
            "W624",
            f"'{node.function.name}' outside of a kernel over groups",
            expected="a kernel or program with a parameter that is the number of groups",
            help="declare it beside the sizes: kernel f[G: groups](...)",
        )
    return ctx.groups


def _axis(ctx: Context, node: ast.Call, operand: Operand, word: str) -> int:
    """A named argument that is one axis of the operand. W307, W613."""
    given = keyword(node, word)
    if given is None:
        # W613
        ctx.fail(
            node.span,
            "W613",
            f"'{node.function.name}' needs {word}=",
            expected=", ".join(f"{name}=" for name in sorted(ARGUMENTS[node.function.name][2])),
        )
    axis, rank = read_integer(ctx, given, "an axis"), len(operand.shape)
    if axis is None or not -rank <= axis < rank:
        # W307
        ctx.fail(
            given.span,
            "W307",
            "an axis is a constant" if axis is None else f"there is no axis {axis}",
            expected=f"0 to {rank - 1}" if rank > 1 else ("0" if rank else "a tensor"),
            found=f"{given.span.text}, and the tensor is {operand.described}",
        )
    return axis % rank


def _shared(ctx: Context, node: ast.Call, operand: Operand, axis: int, groups: Size) -> Size:
    """The part of one group of an extent. W626."""
    extent = operand.shape[axis]
    rest = ctx.guarded(node.span, lambda: extent.mod(groups))
    if equal(rest, size(0)) is False:
        ctx.fail(
            operand.span,
            "W626",
            f"{groups.shown} groups do not share out an extent of {extent.shown}",
            expected=f"a multiple of {groups.shown} along axis {axis}",
            found=operand.described,
            help="another number of groups, or pad(x, ...) before and a part after",
        )
    return ctx.guarded(node.span, lambda: extent.floordiv(groups))


def _operation(ctx: Context, node: ast.Call, operand: Operand) -> str:
    given = keyword(node, "op")
    op = "add" if given is None else given.name if isinstance(given, ast.Name) else ""
    if op not in OPERATIONS:
        assert given is not None
        # W613
        ctx.fail(
            given.span,
            "W613",
            "there is no such operation of an allreduce",
            expected="add, mul, max or min",
            found=given.span.text,
        )
    if operand.kind is Kind.BOOL or (op in ("max", "min") and operand.kind is Kind.COMPLEX):
        # W203
        ctx.fail(
            node.span,
            "W203",
            f"'{op}' is not defined for {operand.element or operand.described}",
            expected="numbers" if operand.kind is Kind.BOOL else "op=add or mul",
            help="count with integers: i64(x)" if operand.kind is Kind.BOOL else "",
        )
    return op


def _statement(
    ctx: Context,
    operand: Operand,
    shape: tuple[Size, ...],
    span: Span,
    make: Callable[[typed.Value, typed.Value], typed.Statement],
) -> Operand:
    def produce(element: Element, name: str, place: Span) -> typed.Value:
        source = materialise(ctx, operand, element)
        target = ctx.value(name, element, shape, place)
        ctx.block.append(make(target, source))
        return target

    return Operand(operand.kind, operand.element, shape, span, None, produce, free=operand.free)


BUILTINS: dict[str, Callable[[Context, ast.Call, Operand], Operand]] = {
    "alltoall": alltoall,
    "allreduce": allreduce,
    "allgather": allgather,
    "own": own,
}
ARGUMENTS: dict[str, tuple[int, int, set[str]]] = {
    "alltoall": (1, 1, {"split", "concat"}),
    "allreduce": (1, 1, {"op"}),
    "allgather": (1, 1, {"axis"}),
    "own": (1, 1, {"axis"}),
}
