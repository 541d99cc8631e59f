# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions: AST to checked operands."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

from weft.diagnostics import Span
from weft.semantics import (
    arithmetic,
    calls,
    collectives,
    consts,
    convolution,
    cover,
    gathers,
    real_transforms,
    reductions,
    roll,
    table_access,
    tiling,
    transforms,
    typed,
    winograd,
)
from weft.semantics.arguments import check_arguments
from weft.semantics.context import (
    ELEMENTS,
    FUNCTIONS,
    ConstantTable,
    Context,
    MatrixFamily,
    Poison,
    Poisoned,
    ScalarConstant,
    ScalarLocal,
    SizeName,
    Tensor,
    WeakTensor,
)
from weft.semantics.drafts import Pending
from weft.semantics.indices import IndexVariable, variable_index
from weft.semantics.operand import UNKNOWN, Indices, Operand, converted, tensor, weak
from weft.semantics.subscript import read_subscript
from weft.semantics.types import Element, Kind
from weft.syntax import ast, foreign

_OF_TENSORS = {**transforms.BUILTINS, **real_transforms.BUILTINS, **collectives.BUILTINS}
_OF_TENSOR_ARGUMENTS = {
    **transforms.ARGUMENTS,
    **real_transforms.ARGUMENTS,
    **collectives.ARGUMENTS,
}
_LITERALS = {"int": Kind.INT, "real": Kind.REAL, "imaginary": Kind.COMPLEX}


def read(ctx: Context, node: ast.Expression) -> Operand:  # noqa: RET503 (fail raises)
    """The checked operand of an expression; `Poisoned` after a report where it is wrong."""
    if isinstance(node, ast.Number):
        return weak(_LITERALS[node.kind], consts.number(node.text, node.kind), node.span)
    if isinstance(node, ast.Name):
        return _name(ctx, node)
    if isinstance(node, ast.Unary):
        return arithmetic.unary(ctx, node.op, read(ctx, node.operand), node.span)
    if isinstance(node, ast.Binary):
        left, right = read(ctx, node.left), read(ctx, node.right)
        if node.op == "@":
            return reductions.matrix_product(ctx, left, right, node.span)
        return arithmetic.binary(ctx, node.op, left, right, node.span)
    if isinstance(node, ast.Compare):
        left, right = read(ctx, node.left), read(ctx, node.right)
        return arithmetic.compare(ctx, node.op, left, right, node.span)
    if isinstance(node, ast.Subscript):
        if ctx.in_constant:
            return table_access.read_table_element(ctx, node, read)
        return read_subscript(ctx, node, read(ctx, node.base))
    if isinstance(node, ast.Call):
        return _call(ctx, node)
    if isinstance(node, ast.Attribute):
        return winograd.matrix(ctx, node, read)
    # W311
    ctx.fail(
        node.span,
        "W311",
        "a list is no value",
        help=f"lists are arguments: axes=[0, 1], [4, 4]{_as_table(node)}",
    )


def _as_table(node: ast.List) -> str:
    """How a list of numbers is written as a table: the first ones as they are."""
    if not node.elements or any(isinstance(element, ast.List) for element in node.elements):
        return ""
    texts = [element.span.text for element in node.elements]
    shown = 3
    written = texts[shown] if len(texts) == shown + 1 else "..." if len(texts) > shown else ""
    for number, text in reversed(list(enumerate(texts[:shown]))):
        written = f"where(k == {number}, {text}, {written})" if written else text
    return f"; a table is const w[k in 0:{len(texts)}] = {written}"


def _name(ctx: Context, node: ast.Name) -> Operand:
    name, span = node.name, node.span
    if name == "pi":
        return weak(Kind.REAL, consts.PI, span)
    meaning = ctx.scope.find(name)
    if meaning is None:
        _unknown(ctx, name, span)
    if isinstance(meaning, Poison):
        raise Poisoned
    if isinstance(meaning, Pending):
        meaning = cover.complete(ctx, meaning, span)
    if isinstance(meaning, Tensor):
        return tensor(meaning.value, meaning.shape, span)
    if isinstance(meaning, SizeName):
        known = meaning.size.value
        return weak(Kind.INT, UNKNOWN if known is None else known, span)
    if isinstance(meaning, ScalarConstant):
        return weak(meaning.kind, meaning.value, span)
    if isinstance(meaning, ConstantTable):
        return _table(ctx, meaning, span)
    if isinstance(meaning, IndexVariable):
        return _index_value(meaning, span)
    if isinstance(meaning, MatrixFamily):
        winograd.no_value(ctx, f"'{name}'", name, span)
    if isinstance(meaning, WeakTensor):
        operand: Operand = replace(meaning.operand, span=span)
        return operand
    assert isinstance(meaning, ScalarLocal)
    return _local(meaning, span)


def _unknown(ctx: Context, name: str, span: Span) -> NoReturn:
    # W101
    if name in FUNCTIONS | set(ELEMENTS):
        ctx.fail(span, "W101", f"'{name}' is a built-in and no value", help=f"call it: {name}(...)")
    if ctx.kernels.definition(name) is not None:
        ctx.fail(span, "W101", f"'{name}' is a kernel and no value", help=f"call it: {name}(...)")
    ctx.unknown(name, span)


def _table(ctx: Context, table: ConstantTable, span: Span) -> Operand:
    def produce(element: Element, _name: str, _span: Span) -> typed.Value:
        value = ctx.value(table.name, element, table.shape, table.span)
        if table.data is not None:
            shape = value.type.shape
            try:
                data = consts.rounded_table(table.data, element, shape)
            except consts.ConstantError as error:
                ctx.fail(table.span, "W702", str(error), expected="a finite number within its type")
            ctx.prelude.append(typed.Table(value, data, table.span))
        return value

    # Every use shares the tables made, one for each element type.
    return Operand(
        table.kind, None, table.shape, span, None, produce, made=table.made, in_prelude=True
    )


def _index_value(variable: IndexVariable, span: Span) -> Operand:
    def build(_indices: Indices, want: Element) -> typed.Scalar:
        value = typed.IndexValue(variable_index(variable).typed(), Element.I64, span)
        return converted(value, want, span)

    free = frozenset() if variable.in_time else frozenset([variable])
    return Operand(Kind.INT, None, (), span, build, free=free)


def _local(meaning: ScalarLocal, span: Span) -> Operand:
    element = meaning.local.element
    return Operand(
        element.kind,
        element,
        (),
        span,
        lambda _indices, _want: meaning.local,
        free=meaning.free | {meaning.local},
    )


# ---------------------------------------------------------------------------------------- calls


def _call(ctx: Context, node: ast.Call) -> Operand:  # noqa: RET503 (fail raises)
    name = node.function.name
    if node.ranges:
        if ctx.in_constant and name in reductions.KINDS:
            return table_access.read_comprehension(ctx, node, read)
        return _comprehension(ctx, node)
    if name in ELEMENTS or name in FUNCTIONS:
        if node.sizes:
            # W613
            ctx.fail(node.sizes[0].span, "W613", f"'{name}' takes no sizes in brackets")
        return _builtin(ctx, node, name)
    if ctx.kernels.definition(name) is not None:
        arguments = [read(ctx, a) for a in node.arguments]
        named = [(k, read(ctx, k.value)) for k in node.keywords]
        return calls.call_operand(ctx, node, arguments, named)
    if isinstance(ctx.scope.find(name), Poison):
        raise Poisoned
    if ctx.scope.find(name) is not None:
        # W104
        ctx.fail(
            node.function.span,
            "W104",
            f"'{name}' is a value and cannot be called",
            help=f"elements are taken with brackets: {name}[...]",
        )
    choices = FUNCTIONS | set(ELEMENTS) | set(ctx.kernels.names())
    ctx.fail(
        node.function.span,
        "W104",
        f"there is no kernel or built-in '{name}'",
        expected="a kernel of this file or a built-in",
        help=foreign.CALLS.get(name) or calls.close_match(name, choices),
    )


def _comprehension(ctx: Context, node: ast.Call) -> Operand:
    name = node.function.name
    if name not in reductions.KINDS:
        ctx.fail(
            node.function.span,
            "W104",
            f"'{name}' takes no 'for'",
            expected="sum, prod, max or min",
        )
    variables, inner = reductions.comprehension_scope(ctx, node.ranges)
    outer, ctx.scope = ctx.scope, inner
    try:
        body = read(ctx, node.arguments[0])
    finally:
        ctx.scope = outer
    return reductions.comprehension(ctx, name, variables, body, node.span)


def _builtin(ctx: Context, node: ast.Call, name: str) -> Operand:
    if name in ELEMENTS:
        check_arguments(ctx, node, 1, 1)
        return arithmetic.cast(ctx, ELEMENTS[name], read(ctx, node.arguments[0]), node.span)
    if name == "where":
        check_arguments(ctx, node, 3, 3)
        condition, then, other = (read(ctx, a) for a in node.arguments)
        return arithmetic.where(ctx, condition, then, other, node.span)
    if name == "twiddle":
        return transforms.twiddle(ctx, node)
    if name == "winograd":
        winograd.no_value(ctx, "winograd(...)", "t", node.span)
    if name == "conv":
        return convolution.read_call(ctx, node, read)
    if name in tiling.ARGUMENTS:
        least, most, names = tiling.ARGUMENTS[name]
        check_arguments(ctx, node, least, most, names)
        return tiling.read_call(ctx, node, read)
    if name in ("max", "min") and len(node.arguments) == 2:
        check_arguments(ctx, node, 2, 2)
        left, right = (read(ctx, a) for a in node.arguments)
        return arithmetic.extreme(ctx, name, left, right, node.span)
    if name in reductions.KINDS:
        most = 2 if name in ("max", "min") else 1
        check_arguments(ctx, node, 1, most, {"axis", "axes"})
        return reductions.reduction(ctx, node, read(ctx, node.arguments[0]))
    if name == "roll":
        check_arguments(ctx, node, 2, 2, {"axis", "axes"})
        return roll.roll(ctx, node, read(ctx, node.arguments[0]))
    if name in _OF_TENSORS:
        least, most, names = _OF_TENSOR_ARGUMENTS[name]
        check_arguments(ctx, node, least, most, names)
        return _OF_TENSORS[name](ctx, node, read(ctx, node.arguments[0]))
    if name in gathers.BUILTINS:
        count, names = gathers.ARGUMENTS[name]
        check_arguments(ctx, node, count, count, names)
        return gathers.BUILTINS[name](ctx, node, [read(ctx, a) for a in node.arguments])
    check_arguments(ctx, node, 1, 1)
    return arithmetic.function(ctx, name, read(ctx, node.arguments[0]), node.span)
