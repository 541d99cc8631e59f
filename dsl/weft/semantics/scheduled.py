# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the directives of a schedule, checked by `schedule`, do to a kernel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from weft.diagnostics import Span
from weft.semantics.context import Reporter
from weft.semantics.directives import READ_BY_PASSES, SERVED
from weft.semantics.schedule import TRANSFORMS, ast_text
from weft.syntax import ast
from weft.syntax.printer import print_directive


@dataclass(frozen=True)
class Scheduled:
    """A kernel as its schedule makes it. `unroll`, `complex_form`, `exchange`, `split` and `order`
    are None where the cost model chooses; `asked` are directives that passes read as they are."""

    kernel: ast.Kernel
    directives: tuple[str, ...] = ()
    places: tuple[Span, ...] = ()
    unroll: int | None = None
    complex_form: str | None = None
    exchange: int | None = None
    split: int | None = None
    order: str | None = None
    asked: tuple[str, ...] = ()


def apply_schedule(report: Reporter, kernel: ast.Kernel, schedule: ast.Schedule) -> Scheduled:
    """The kernel with what the directives ask for, written as if the source said it."""
    unroll: int | None = None
    complex_form: str | None = None
    exchange: int | None = None
    split: int | None = None
    order: str | None = None
    for directive in schedule.directives:
        if directive.name.name == "unroll":
            unroll = _number(directive)
        if directive.name.name == "exchange":
            exchange = _number(directive)
        if directive.name.name == "split":
            split = _number(directive)
        if directive.name.name == "complex" and directive.operands:
            complex_form = ast_text(directive.operands[0])
        if directive.name.name == "order" and directive.operands:
            order = ast_text(directive.operands[0])
        if directive.name.name == "factor":
            kernel = _factored(report, kernel, directive)
    directives = tuple(map(print_directive, schedule.directives))
    asked = tuple(d for d in directives if d.split()[0] in READ_BY_PASSES)
    places = tuple(d.span for d in schedule.directives)
    return Scheduled(
        kernel, directives, places, unroll, complex_form, exchange, split, order, asked
    )


def _number(directive: ast.Directive) -> int | None:
    operand = directive.operands[0] if directive.operands else None
    return int(operand.text, 0) if isinstance(operand, ast.Number) else None


def refuse_unserved(report: Reporter, schedule: ast.Schedule) -> None:
    """W902, at each directive that no pass of the target has an option for."""
    target = schedule.target.name
    served = sorted(SERVED[target])
    for directive in schedule.directives:
        if directive.name.name not in served:
            where = [other for other, words in SERVED.items() if directive.name.name in words]
            # W902
            report.report(
                directive.name.span,
                "W902",
                f"no pass serves '{directive.name.name}' on {target} yet",
                expected=", ".join(served) or "no directive",
                found=f"it acts on {', '.join(where)}" if where else "",
                help="leave it out: the cost model chooses",
            )


def _factored(report: Reporter, kernel: ast.Kernel, directive: ast.Directive) -> ast.Kernel:
    """`factor a into 8, 8` and `factor y as winograd(4)`: an argument of the call that makes a."""
    (place,) = directive.operands
    (clause,) = directive.clauses
    assert isinstance(place, ast.Place)
    span = clause.span
    functions: tuple[str, ...]
    if clause.word == "into":
        name, functions = "radices", TRANSFORMS
        numbers = tuple(o for o in clause.operands if isinstance(o, ast.Number))
        value: ast.Expression = ast.List(numbers, span)
    else:
        name, functions = "algorithm", ("conv",)
        (way,) = clause.operands
        assert not isinstance(way, ast.Number)
        value = way.name
        if isinstance(way, ast.Applied):
            value = ast.Call(way.name, (), way.arguments, (), (), way.span)
    argument = ast.Keyword(ast.Name(name, span), value, span)
    found = False

    def change(statement: ast.Assign | ast.CarryAssign) -> ast.Statement:
        nonlocal found
        call = statement.value
        if not isinstance(call, ast.Call) or call.function.name not in functions:
            return statement
        found = True
        given = next((k for k in call.keywords if k.name.name == name), None)
        if given is not None and not _is_auto(given.value):
            # W621
            report.report(
                directive.span,
                "W621",
                f"the kernel gives {name}= at line {given.span.line} itself",
                found=given.span.text,
                help="keep one of them",
            )
            return statement
        # max_error= is for algorithm=auto, which the schedule has decided.
        dropped = {name, "max_error"} if name == "algorithm" else {name}
        kept = tuple(k for k in call.keywords if k.name.name not in dropped)
        return replace(statement, value=replace(call, keywords=(*kept, argument)))

    changed = replace(kernel, body=_assignments(kernel.body, place.name.name, change))
    if not found:
        wanted = " or ".join(f"{f}(...)" for f in functions)
        # W620
        report.report(
            place.span,
            "W620",
            f"'{place.name.name}' is not made by {wanted}",
            expected=f"a name given to it: {place.name.name} = {functions[0]}(...)",
            help="give the transform within an expression a name of its own"
            if clause.word == "into"
            else "",
        )
    return changed


def _is_auto(value: ast.Expression) -> bool:
    return isinstance(value, ast.Name) and value.name == "auto"


def _assignments(
    body: tuple[ast.Statement, ...],
    name: str,
    change: Callable[[ast.Assign | ast.CarryAssign], ast.Statement],
) -> tuple[ast.Statement, ...]:
    """The statements, those that assign the name as a whole changed."""
    made: list[ast.Statement] = []
    for statement in body:
        if isinstance(statement, ast.For):
            made.append(replace(statement, body=_assignments(statement.body, name, change)))
        elif (isinstance(statement, ast.CarryAssign) and statement.name.name == name) or (
            isinstance(statement, ast.Assign)
            and [(t.name.name, t.items) for t in statement.targets] == [(name, None)]
        ):
            made.append(change(statement))
        else:
            made.append(statement)
    return tuple(made)
