# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements of a kernel's or a program's block."""

from __future__ import annotations

from collections.abc import Iterator

from weft.diagnostics import Span
from weft.semantics import (
    constants,
    cover,
    elements,
    expressions,
    inserts,
    programs,
    typed,
    winograd,
)
from weft.semantics.calls import fits, plan_call
from weft.semantics.context import (
    Context,
    Poison,
    Poisoned,
    ScalarConstant,
    Tensor,
    WeakTensor,
)
from weft.semantics.drafts import Pending
from weft.semantics.expressions import read
from weft.semantics.operand import Operand, make_map, materialise, tensor
from weft.semantics.sizes import Size, SizeOverflow, equal, shape_text
from weft.semantics.types import Element
from weft.syntax import ast


def run_block(ctx: Context, statements: tuple[ast.Statement, ...]) -> None:
    for statement in statements:
        guarded(ctx, statement)


def guarded(ctx: Context, statement: ast.Statement) -> None:
    """Run a statement; after an error, what it would have defined is poisoned."""
    try:
        _run(ctx, statement)
    except Poisoned:
        poison(ctx, statement)
    except SizeOverflow:
        # W305
        ctx.report.report(
            statement.span, "W305", "a size of this statement is too big", expected="at most 2^48"
        )
        poison(ctx, statement)


def poison(ctx: Context, statement: ast.Statement) -> None:
    for name, by_elements in defined_names(statement):
        meaning = ctx.scope.find(name)
        if isinstance(meaning, Pending):
            meaning.poisoned = True
            if not by_elements:
                ctx.scope.replace(name, Poison())
        elif meaning is None:
            ctx.base.names[name] = Poison()


def defined_names(statement: ast.Statement) -> Iterator[tuple[str, bool]]:
    """Names that a statement assigns, and whether by elements."""
    if isinstance(statement, ast.Assign):
        yield from ((t.name.name, t.items is not None) for t in statement.targets)
    elif isinstance(statement, (ast.Const, ast.CarryAssign)):
        yield statement.name.name, False
    elif isinstance(statement, ast.For):
        for inner in statement.body:
            yield from defined_names(inner)


def _run(ctx: Context, statement: ast.Statement) -> None:
    if isinstance(statement, ast.Const):
        constants.define(ctx, statement)
    elif isinstance(statement, ast.CarryAssign):
        programs.carry(ctx, statement)
    elif isinstance(statement, ast.Case):
        programs.check_case_place(ctx, statement)
    elif isinstance(statement, ast.For):
        if ctx.is_program:
            programs.time_loop(ctx, statement)
        else:
            elements.nest(ctx, statement)
    elif winograd.is_family(statement.value):
        winograd.define(ctx, statement, expressions.read)
    elif len(statement.targets) > 1:
        _several(ctx, statement)
    elif statement.targets[0].items is not None:
        _by_elements(ctx, statement)
    else:
        target = statement.targets[0]
        check_whole(ctx, target.name)
        assign_whole(ctx, target.name, read(ctx, statement.value))


def _by_elements(ctx: Context, statement: ast.Assign) -> None:
    meaning = ctx.scope.find(statement.targets[0].name.name)
    from_outside = isinstance(meaning, Pending) and meaning.name not in ctx.base.names
    if ctx.time is not None and from_outside:
        inserts.insert(ctx, statement)
    else:
        elements.single(ctx, statement)


def check_whole(ctx: Context, name: ast.Name) -> None:
    """W506, W614, and what `check_free` finds: whether a name can be assigned as a whole."""
    meaning = ctx.scope.find(name.name)
    if isinstance(meaning, Poison):
        # The first assignment was wrong; this one is still checked, and then forgotten.
        return
    if isinstance(meaning, Pending):
        if meaning.poisoned:
            raise Poisoned
        if meaning.regions:
            line = meaning.regions[0].span.line
            ctx.fail(
                name.span,
                "W506",
                f"'{name.name}' is assigned as a whole and by elements",
                expected="one of the two",
                found=f"elements are assigned at line {line}",
            )
        if ctx.time is not None and name.name not in ctx.base.names:
            once = "one assignment after the loop"
            if meaning.shape:
                part = "an element" if len(meaning.shape) == 1 else "a row"
                once = f"{part} an iteration, {name.name}[{ctx.time.name}] = ..., or {once}"
            ctx.fail(
                name.span,
                "W614",
                f"the output '{name.name}' is assigned in every iteration",
                expected=once,
                help=f"carry it: carry v = ... in the loop, {name.name} = v after it",
            )
        return
    if isinstance(meaning, Tensor) and name.name in ctx.outputs:
        ctx.fail(
            name.span,
            "W506",
            f"the output '{name.name}' is assigned twice",
            help="values are named once; choose another name for one of them",
        )
    ctx.check_free(name.name, name.span)


def assign_whole(ctx: Context, name: ast.Name, operand: Operand) -> None:
    if isinstance(ctx.scope.find(name.name), Poison):
        return
    pending = ctx.scope.find(name.name)
    if isinstance(pending, Pending):
        assert pending.element is not None
        assert pending.shape is not None
        value = to_declared(ctx, operand, pending.element, pending.shape, name)
        ctx.scope.replace(name.name, Tensor(value, pending.shape))
        return
    if operand.is_constant:
        ctx.define(name.name, name.span, ScalarConstant(operand.constant, operand.kind))
        return
    if operand.element is None and operand.in_prelude:
        ctx.define(name.name, name.span, WeakTensor(operand))
        return
    value = materialise(ctx, operand, operand.default, name.name, name.span)
    ctx.define(name.name, name.span, Tensor(value, operand.shape))


def to_declared(
    ctx: Context, operand: Operand, element: Element, shape: tuple[Size, ...], name: ast.Name
) -> typed.Value:
    """W302, W202: the operand as a value of the declared type."""
    check_shape(ctx, operand, shape, name.name)
    fits(ctx, operand, element, f"'{name.name}'")
    if len(operand.shape) == len(shape):
        return materialise(ctx, operand, element, name.name, name.span)
    filled = Operand(
        operand.kind,
        operand.element,
        shape,
        operand.span,
        lambda _indices, want: elements.scalar_of(ctx, operand, want),
        free=operand.free,
    )
    return make_map(ctx, filled, element, name.name, name.span)


def check_shape(ctx: Context, operand: Operand, shape: tuple[Size, ...], name: str) -> None:
    if operand.shape and not ctx.shapes_equal(operand.shape, shape):
        # W302
        ctx.fail(
            operand.span,
            "W302",
            f"this does not have the shape of '{name}'",
            expected=shape_text(shape),
            found=shape_text(operand.shape),
            help=_repeated(operand.shape, shape, name),
        )


def _repeated(have: tuple[Size, ...], want: tuple[Size, ...], name: str) -> str:
    """A whole value is not repeated by itself, as NumPy's broadcasting has it; elements are."""
    ends = zip(have, want[-len(have) :], strict=False)
    if len(have) < len(want) and all(equal(a, b) is True for a, b in ends):
        return f"{name}[{', '.join([':'] * len(want))}] = ... repeats it"
    return ""


def _several(ctx: Context, statement: ast.Assign) -> None:
    """`a, b = f(x)`. W605."""
    call = statement.value
    span = statement.targets[0].span.to(statement.targets[-1].span)
    if not isinstance(call, ast.Call) or ctx.kernels.definition(call.function.name) is None:
        if isinstance(call, ast.Call):
            read(ctx, call)
        ctx.fail(
            span,
            "W605",
            "only the outputs of a kernel are assigned together",
            expected="a, b = kernel(...)",
        )
    seen: set[str] = set()
    for target in statement.targets:
        if target.items is not None:
            ctx.fail(target.span, "W605", "outputs of a call are assigned as a whole")
        if target.name.name in seen:
            ctx.fail(target.span, "W103", f"'{target.name.name}' is already defined here")
        seen.add(target.name.name)
        check_whole(ctx, target.name)
    arguments = [read(ctx, a) for a in call.arguments]
    named = [(k, read(ctx, k.value)) for k in call.keywords]
    plan = plan_call(ctx, call, arguments, named)
    if len(plan.results) != len(statement.targets):
        names = ", ".join(r[0] for r in plan.results)
        ctx.fail(
            span,
            "W605",
            f"'{call.function.name}' has {len(plan.results)} outputs",
            expected=f"{len(plan.results)} names, for {names}",
            found=f"{len(statement.targets)} names",
        )
    places: list[tuple[str, Span]] = [(t.name.name, t.name.span) for t in statement.targets]
    values = plan.emit(ctx, places)
    for target, value, (_, _, shape) in zip(statement.targets, values, plan.results, strict=True):
        assign_whole(ctx, target.name, tensor(value, shape, target.span))


def close_block(ctx: Context) -> None:
    """At the end of a block every tensor of it that is assigned by elements is whole."""
    for meaning in list(ctx.scope.names.values()):
        if isinstance(meaning, Pending):
            try:
                cover.complete(ctx, meaning, None)
            except Poisoned:
                continue
