# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of kernels: sizes from arguments, shapes and types of arguments and results."""

from __future__ import annotations

from dataclasses import dataclass, replace

from weft.diagnostics import Span, close_match
from weft.semantics import typed
from weft.semantics.context import ELEMENTS, Context, Poisoned, Scope, SizeName
from weft.semantics.operand import Operand, materialise
from weft.semantics.sizes import Size, equal, shape_text
from weft.semantics.sizing import read_extent, read_size
from weft.semantics.types import Element, Kind
from weft.syntax import ast

__all__ = ["CallPlan", "call_operand", "close_match", "fits", "plan_call"]


@dataclass(frozen=True)
class CallPlan:
    """A checked call: the results' types, and `emit` makes the statement."""

    node: ast.Call
    sizes: dict[str, Size]
    arguments: tuple[Operand, ...]
    elements: tuple[Element, ...]
    results: tuple[tuple[str, Element, tuple[Size, ...]], ...]

    def emit(self, ctx: Context, names: list[tuple[str, Span]]) -> tuple[typed.Value, ...]:
        """The call as a statement; one name a result."""
        values = tuple(
            materialise(ctx, a, e) for a, e in zip(self.arguments, self.elements, strict=True)
        )
        name = ctx.kernels.instance(self.node.function.name, self.sizes, self.node.span)
        targets = tuple(
            ctx.value(given, element, shape, span)
            for (given, span), (_, element, shape) in zip(names, self.results, strict=True)
        )
        ctx.block.append(typed.Call(targets, name, values, self.node.span))
        return targets


def fits(ctx: Context, operand: Operand, element: Element, what: str) -> None:
    """W202: a literal adapts, a real goes into the complex of its precision, others are equal."""
    own = operand.element
    if own is element or (own is not None and own.is_float and own.complex is element):
        return
    both_bool = (operand.kind is Kind.BOOL) == (element is Element.BOOL)
    if own is None and both_bool and operand.kind.value <= element.kind.value:
        return
    convertible = operand.kind is not Kind.BOOL and element is not Element.BOOL
    way = f"convert it: {element}(...)" if convertible else ""
    if operand.kind is Kind.COMPLEX and not element.is_complex:
        way = "take a part: real(...)"
    ctx.fail(
        operand.span,
        "W202",
        f"this value does not fit {what}",
        expected=str(element),
        found=operand.described,
        help=way,
    )


def plan_call(
    ctx: Context,
    node: ast.Call,
    arguments: list[Operand],
    named: list[tuple[ast.Keyword, Operand]],
) -> CallPlan:
    callee: ast.Kernel = ctx.kernels.definition(node.function.name)
    if callee.is_program:
        # W612
        ctx.fail(
            node.function.span, "W612", f"'{callee.name.name}' is a program", help="call a kernel"
        )
    operands = _match(ctx, node, callee, arguments, named)
    sizes = _solve(ctx, node, callee, operands)
    inner = replace(ctx, scope=_size_scope(sizes))
    for parameter, operand in zip(callee.inputs, operands, strict=True):
        wanted = tuple(read_extent(inner, d) for d in parameter.dims)
        for have, want in zip(operand.shape, wanted, strict=True):
            if equal(have, want) is False:
                # W602
                ctx.fail(
                    operand.span,
                    "W602",
                    f"this does not have the shape of {_what(parameter, callee)}",
                    expected=f"{parameter.span.text}, here {shape_text(wanted)}",
                    found=shape_text(operand.shape),
                )
    elements = tuple(_element(p) for p in callee.inputs)
    for parameter, operand, element in zip(callee.inputs, operands, elements, strict=True):
        fits(ctx, operand, element, _what(parameter, callee))
    results = tuple(
        (p.name.name, _element(p), tuple(read_extent(inner, d) for d in p.dims))
        for p in callee.outputs
    )
    return CallPlan(node, sizes, tuple(operands), elements, results)


def _what(parameter: ast.Parameter, callee: ast.Kernel) -> str:
    return f"'{parameter.name.name}' of '{callee.name.name}'"


def _element(parameter: ast.Parameter) -> Element:
    """An unknown type was reported where it is declared."""
    if parameter.element.name not in ELEMENTS:
        raise Poisoned
    return ELEMENTS[parameter.element.name]


def _size_scope(sizes: dict[str, Size]) -> Scope:
    scope = Scope()
    scope.names.update({name: SizeName(value) for name, value in sizes.items()})
    return scope


def _match(
    ctx: Context,
    node: ast.Call,
    callee: ast.Kernel,
    arguments: list[Operand],
    named: list[tuple[ast.Keyword, Operand]],
) -> list[Operand]:
    """W601: one operand for each input, by place or by name."""
    names = [p.name.name for p in callee.inputs]
    wanted = f"{callee.name.name}({', '.join(names)})"
    if len(arguments) > len(names):
        ctx.fail(
            node.span,
            "W601",
            f"'{callee.name.name}' takes {len(names)} arguments",
            expected=wanted,
            found=f"{len(arguments)} arguments",
        )
    by_name = dict(zip(names, arguments, strict=False))
    for keyword, operand in named:
        name = keyword.name.name
        if name not in names:
            ctx.fail(
                keyword.span,
                "W601",
                f"'{callee.name.name}' has no input '{name}'",
                expected=wanted,
                help=close_match(name, names)
                or (f"sizes are given in brackets: {callee.name.name}[{name}=...](...)"),
            )
        if name in by_name:
            ctx.fail(keyword.span, "W601", f"'{name}' is given twice")
        by_name[name] = operand
    missing = [n for n in names if n not in by_name]
    if missing:
        ctx.fail(
            node.span,
            "W601",
            f"'{callee.name.name}' needs '{missing[0]}' too",
            expected=wanted,
            found=f"{len(by_name)} of {len(names)} arguments",
        )
    return [by_name[n] for n in names]


def _solve(
    ctx: Context, node: ast.Call, callee: ast.Kernel, operands: list[Operand]
) -> dict[str, Size]:
    """W602, W603, W604: each size from where its bare name is a dimension, or as given."""
    known = {n.name for n in callee.sizes}
    sizes = _groups(ctx, node, callee)
    for keyword in node.sizes:
        name = keyword.name.name
        if name not in known or name in sizes:
            again = "is given twice" if name in sizes else f"is no size of '{callee.name.name}'"
            ctx.fail(
                keyword.span,
                "W604",
                f"'{name}' {again}",
                expected=", ".join(sorted(known)) or "no sizes",
                help=close_match(name, known),
            )
        sizes[name] = read_size(ctx, keyword.value)
    for parameter, operand in zip(callee.inputs, operands, strict=True):
        if len(parameter.dims) != len(operand.shape):
            ctx.fail(
                operand.span,
                "W602",
                f"this does not have the rank of {_what(parameter, callee)}",
                expected=parameter.span.text,
                found=operand.described,
            )
        for dim, extent in zip(parameter.dims, operand.shape, strict=True):
            if isinstance(dim, ast.Name) and dim.name in known:
                sizes.setdefault(dim.name, extent)
    missing = [n.name for n in callee.sizes if n.name not in sizes]
    if missing:
        ctx.fail(
            node.span,
            "W603",
            f"the size '{missing[0]}' of '{callee.name.name}' does not follow from the arguments",
            help=f"give it: {callee.name.name}[{missing[0]}=...](...)",
        )
    return sizes


def _groups(ctx: Context, node: ast.Call, callee: ast.Kernel) -> dict[str, Size]:
    """W625: a kernel over groups has the number of groups of the kernel that calls it."""
    if callee.groups is None:
        return {}
    name = callee.groups.name
    given = next((k for k in node.sizes if k.name.name == name), None)
    if given is not None:
        ctx.fail(
            given.span,
            "W625",
            f"'{name}' is the number of groups that run '{callee.name.name}' and is not given",
            help="leave it out: it is that of the caller",
        )
    if ctx.groups is None:
        ctx.fail(
            node.function.span,
            "W625",
            f"'{callee.name.name}' is a kernel over groups, and its caller is none",
            help=f"declare the number of groups of the caller too: [{name}: groups]",
        )
    return {name: ctx.groups}


def call_operand(
    ctx: Context,
    node: ast.Call,
    arguments: list[Operand],
    named: list[tuple[ast.Keyword, Operand]],
) -> Operand:
    """W606: a call within an expression has one result."""
    plan = plan_call(ctx, node, arguments, named)
    if len(plan.results) != 1:
        ctx.fail(
            node.span,
            "W606",
            f"'{node.function.name}' has {len(plan.results)} outputs",
            help="name them first: a, b = " + node.function.name + "(...)",
        )
    _, element, shape = plan.results[0]

    def produce(_element: Element, name: str, span: Span) -> typed.Value:
        return plan.emit(ctx, [(name, span)])[0]

    free = frozenset().union(*(a.free for a in plan.arguments))
    return Operand(element.kind, element, shape, node.span, None, produce, free=free)
