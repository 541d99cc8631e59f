# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Signatures: what a kernel or program takes and gives, and a program's cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from weft.diagnostics import RunError, close_match
from weft.semantics.context import (
    ELEMENTS,
    RESERVED_NAMES,
    Callee,
    Context,
    Poisoned,
    Reporter,
    Scope,
    SizeName,
)
from weft.semantics.sizes import Size, SizeOverflow, atom
from weft.semantics.sizing import read_extent, read_size
from weft.semantics.types import Element
from weft.syntax import ast, foreign


@dataclass(frozen=True)
class Signature:
    """For whoever calls it. Types are as written, such as `c128[R, C]`."""

    name: str
    is_program: bool
    sizes: tuple[str, ...]
    inputs: dict[str, str]
    outputs: dict[str, str]
    cases: dict[str, dict[str, int]] = field(default_factory=dict)
    groups: str = ""
    """The size that is the number of groups, of a kernel over groups."""


def describe(kernel: ast.Kernel, cases: dict[str, dict[str, int]]) -> Signature:
    def typed(parameters: tuple[ast.Parameter, ...]) -> dict[str, str]:
        return {p.name.name: p.span.text.partition(":")[2].strip() for p in parameters}

    sizes = tuple(n.name for n in kernel.sizes)
    inputs, outputs = typed(kernel.inputs), typed(kernel.outputs)
    groups = kernel.groups.name if kernel.groups else ""
    return Signature(kernel.name.name, kernel.is_program, sizes, inputs, outputs, cases, groups)


def new_context(
    report: Reporter, kernel: ast.Kernel, kernels: Callee, sizes: Mapping[str, int] | None
) -> Context:
    """A context in which only the sizes are defined; without values in the generic check."""
    scope = Scope()
    ctx = Context(report, scope, [], [], kernels, kernel.is_program, sizes is None, base=scope)
    for name in kernel.sizes:
        value = None if sizes is None else sizes[name.name]
        try:
            _declare(ctx, name, atom(name.name, value))
        except Poisoned:
            continue
        if kernel.groups is not None and name.name == kernel.groups.name:
            ctx.groups = atom(name.name, value)
    return ctx


def _declare(ctx: Context, name: ast.Name, value: Size) -> None:
    """W105, W108"""
    if name.name in RESERVED_NAMES:
        ctx.fail(
            name.span,
            "W105",
            f"'{name.name}' is a name of the language",
            help="choose another name",
        )
    if name.name in ctx.scope.names:
        ctx.fail(
            name.span, "W108", f"the size '{name.name}' is there twice", expected="different names"
        )
    ctx.scope.names[name.name] = SizeName(value)
    ctx.scope.spans[name.name] = name.span


def read_parameter(ctx: Context, parameter: ast.Parameter) -> tuple[Element, tuple[Size, ...]]:
    """W107, W108: element type and shape of an input or output."""
    name, written = parameter.name, parameter.element
    if name.name in RESERVED_NAMES:
        # W105
        ctx.fail(
            name.span,
            "W105",
            f"'{name.name}' is a name of the language",
            help="choose another name",
        )
    if name.name in ctx.scope.names:
        ctx.fail(
            name.span,
            "W108",
            f"'{name.name}' is declared twice",
            expected="different names for sizes, inputs and outputs",
        )
    element = ELEMENTS.get(written.name)
    if element is None:
        ctx.fail(
            written.span,
            "W107",
            f"there is no element type '{written.name}'",
            expected=", ".join(ELEMENTS),
            help=foreign.TYPES.get(written.name) or close_match(written.name, ELEMENTS),
        )
    for dimension in parameter.dims:
        if isinstance(dimension, ast.Name) and ctx.scope.find(dimension.name) is None:
            # W101
            near = close_match(dimension.name, ctx.scope.all_names())
            ctx.fail(
                dimension.span,
                "W101",
                f"unknown name '{dimension.name}'",
                help=near or f"sizes are declared before the parameters: [{dimension.name}: size]",
            )
    try:
        shape = tuple(read_extent(ctx, d) for d in parameter.dims)
    except SizeOverflow:
        # W305
        ctx.fail(parameter.span, "W305", "this size is too big", expected="at most 2^48")
    ctx.check_bytes(element, shape, parameter.span)
    return element, shape


def read_cases(report: Reporter, kernel: ast.Kernel, kernels: Callee) -> dict[str, dict[str, int]]:
    """W611: the cases of a program, each with a value for every size."""
    cases: dict[str, dict[str, int]] = {}
    ctx = Context(report, Scope(), [], [], kernels, True, False)
    for statement in kernel.body:
        if not isinstance(statement, ast.Case) or not kernel.is_program:
            continue
        try:
            if statement.name.name in cases:
                ctx.fail(
                    statement.name.span,
                    "W611",
                    f"the case '{statement.name.name}' is there twice",
                    expected="different names",
                )
            cases[statement.name.name] = _read_case(ctx, kernel, statement)
        except Poisoned:
            continue
    return cases


def _read_case(ctx: Context, kernel: ast.Kernel, statement: ast.Case) -> dict[str, int]:
    groups = kernel.groups.name if kernel.groups else ""
    names = [n.name for n in kernel.sizes if n.name != groups]
    sizes: dict[str, int] = {}
    for keyword in statement.sizes:
        name = keyword.name.name
        if groups and name == groups:
            # W625
            ctx.fail(
                keyword.span,
                "W625",
                f"a case does not give the number of groups, '{name}'",
                help="it is chosen when the program is run: weft run --groups 4",
            )
        if name not in names or name in sizes:
            twice = name in sizes
            ctx.fail(
                keyword.span,
                "W611",
                f"'{name}' is given twice" if twice else f"'{name}' is no size of the program",
                expected=", ".join(names) or "no sizes",
                help="" if twice else close_match(name, names),
            )
        value = read_extent(ctx, keyword.value).value
        assert value is not None
        sizes[name] = value
    missing = [n for n in names if n not in sizes]
    if missing:
        ctx.fail(
            statement.span,
            "W611",
            f"the case '{statement.name.name}' does not give '{missing[0]}'",
            expected=", ".join(names),
        )
    return sizes


def solve(
    kernel: ast.Kernel,
    kernels: Callee,
    shapes: Mapping[str, tuple[int, ...]],
    given: Mapping[str, int],
) -> dict[str, int]:
    """Sizes from the shapes of arguments, where a bare name is a dimension; others are checked."""
    names = [n.name for n in kernel.sizes]
    sizes = dict(given)
    origin = dict.fromkeys(given, "the sizes given")
    for parameter in kernel.inputs:
        argument = parameter.name.name
        shape = shapes[argument]
        dims = _arranged(kernel, parameter)
        if len(shape) != len(dims):
            raise RunError(
                f"argument {argument!r} has the wrong number of dimensions",
                argument=argument,
                expected=_wanted(kernel, parameter),
                found=f"shape {shape}",
            )
        if 0 in shape:
            raise RunError(
                f"argument {argument!r} is empty",
                argument=argument,
                expected=f"{_wanted(kernel, parameter)}, extents of 1 or more",
                found=f"shape {shape}",
            )
        for dim, extent in zip(dims, shape, strict=True):
            if not isinstance(dim, ast.Name) or dim.name not in names:
                continue
            if sizes.setdefault(dim.name, extent) != extent:
                raise RunError(
                    f"argument {argument!r} does not agree with {origin[dim.name]}"
                    f" about {dim.name}",
                    argument=argument,
                    expected=f"{dim.name} = {sizes[dim.name]}",
                    found=f"{extent}, shape {shape} for {_wanted(kernel, parameter)}",
                )
            origin.setdefault(dim.name, f"argument {argument!r}")
    if all(n in sizes for n in names):
        _check_shapes(kernel, kernels, shapes, sizes)
    return {n: sizes[n] for n in names if n in sizes}


def _arranged(kernel: ast.Kernel, parameter: ast.Parameter) -> tuple[ast.Expression, ...]:
    """The dimensions of an argument: over groups, those of all groups one behind the other."""
    return (kernel.groups, *parameter.dims) if kernel.groups else parameter.dims


def _wanted(kernel: ast.Kernel, parameter: ast.Parameter) -> str:
    text = parameter.span.text
    return f"{text} for each of {kernel.groups.name} groups" if kernel.groups else text


def _check_shapes(
    kernel: ast.Kernel,
    kernels: Callee,
    shapes: Mapping[str, tuple[int, ...]],
    sizes: Mapping[str, int],
) -> None:
    ctx = new_context(Reporter(), kernel, kernels, sizes)
    for parameter in kernel.inputs:
        argument = parameter.name.name
        for dim, extent in zip(_arranged(kernel, parameter), shapes[argument], strict=True):
            try:
                wanted = read_size(ctx, dim)
            except (Poisoned, SizeOverflow):
                return  # instantiation reports it at its place
            if wanted.value != extent:
                raise RunError(
                    f"argument {argument!r} has the wrong shape",
                    argument=argument,
                    expected=f"{_wanted(kernel, parameter)}, where {wanted.shown}",
                    found=f"{extent}, shape {shapes[argument]}",
                )
