# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Schedules: whether their directives make sense. What they do to a kernel is in `scheduled`.

A schedule never changes what a kernel computes. Every schedule of a source is checked; it acts
only where its kernel is compiled for its target. A directive that no pass serves there yet is
refused by its name then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from weft.diagnostics import Diagnostic, Span, close_match
from weft.semantics.context import Reporter
from weft.semantics.directives import (
    FORMS,
    LARGEST_TILE,
    SERVED,
    Form,
    Slot,
    kind_names,
)
from weft.syntax import ast
from weft.syntax.printer import print_directive

TRANSFORMS = ("dft", "idft")


@dataclass(frozen=True)
class Known:
    """Values of a kernel by name: the number of their dimensions, None where it is not known."""

    ranks: Mapping[str, int | None]


# ------------------------------------------------------------------------------------- the check


@dataclass
class _State:
    """What the directives before have said."""

    report: Reporter
    known: Known
    schedule: ast.Schedule
    loops: dict[str, ast.Directive] = field(default_factory=dict)
    tiled: dict[str, ast.Directive] = field(default_factory=dict)
    said: dict[tuple[str, str], ast.Directive] = field(default_factory=dict)

    @property
    def target(self) -> str:
        return self.schedule.target.name


def check_names(
    report: Reporter,
    schedule: ast.Schedule,
    kernels: Mapping[str, ast.Kernel],
    before: Sequence[ast.Schedule],
) -> bool:
    """W615, W617, W621: kernel and target exist, and have one schedule together."""
    kernel, target = schedule.kernel, schedule.target
    if kernel.name not in kernels:
        # W615
        report.report(
            kernel.span,
            "W615",
            f"there is no kernel '{kernel.name}' to schedule",
            expected=", ".join(kernels) or "a kernel of the same source",
            found="" if kernels else "the source has no kernel",
            help=close_match(kernel.name, kernels)
            if kernels
            else "a file of schedules alone is given beside the kernel's: --schedule FILE",
        )
        return False
    if target.name not in SERVED:
        # W617
        report.report(
            target.span,
            "W617",
            f"there is no target '{target.name}'",
            expected=", ".join(SERVED),
            help=close_match(target.name, SERVED),
        )
        return False
    for other in before:
        if (other.kernel, other.target) == (kernel, target):
            # W621
            report.report(
                schedule.span,
                "W621",
                f"'{kernel.name}' has a schedule on {target.name} already",
                found=f"the other one is at line {other.span.shown.line}",
                help="put the directives together",
            )
            return False
    return True


def check_directives(report: Reporter, schedule: ast.Schedule, known: Known) -> None:
    """W618 to W621, one directive after the other: their order counts."""
    state = _State(report, known, schedule)
    for directive in schedule.directives:
        form = FORMS.get(directive.name.name)
        if form is None:
            # W618
            report.report(
                directive.name.span,
                "W618",
                f"there is no directive '{directive.name.name}'",
                expected=", ".join(FORMS),
                help=close_match(directive.name.name, FORMS),
            )
            continue
        if _check_form(state, directive, form):
            _note(state, directive)


def _check_form(state: _State, directive: ast.Directive, form: Form) -> bool:
    """W619, W620: the clauses and operands that the directive takes."""
    clauses = {clause.word: clause for clause in directive.clauses}
    chosen = next((a for a in form.clauses if set(clauses) == set(a)), None)
    flags = [f for f in directive.flags if f.name not in form.flags]
    if chosen is None or len(clauses) != len(directive.clauses) or flags:
        span = flags[0].span if flags else directive.span
        near = close_match(flags[0].name, form.flags) if flags else ""
        _malformed(state, span, form, print_directive(directive), near)
        return False
    good = _check_slot(state, directive.operands, form.operands, form, directive.span)
    for word, slot in chosen.items():
        clause = clauses[word]
        good = _check_slot(state, clause.operands, slot, form, clause.span) and good
    return good


def _malformed(state: _State, span: Span, form: Form, found: str, help_text: str = "") -> None:
    # W619
    state.report.report(
        span,
        "W619",
        "the directive does not have this form",
        expected=form.written(state.target),
        found=found,
        help=help_text or f"it says: {form.says}",
    )


def _check_slot(
    state: _State, operands: tuple[ast.Operand, ...], slot: Slot, form: Form, span: Span
) -> bool:
    if not slot.least <= len(operands) <= (slot.most or len(operands)):
        count = len(operands)
        _malformed(state, span, form, "1 operand" if count == 1 else f"{count or 'no'} operands")
        return False
    good = [_check_operand(state, operand, slot, form) for operand in operands]
    return all(good) and _check_apart(state, operands, slot)


def _check_apart(state: _State, operands: tuple[ast.Operand, ...], slot: Slot) -> bool:
    """W621: the loops of a tile have two names, and no value or loop stands in a list twice."""
    seen: set[str] = set()
    for operand in operands:
        text = ast_text(operand)
        if isinstance(operand, ast.Number) or text not in seen:
            seen.add(text)
            continue
        is_new = "new" in slot.kinds
        # W621
        state.report.report(
            operand.span,
            "W621",
            f"'{text}' is the name of something else" if is_new else f"'{text}' stands here twice",
            expected="a new name for the loop" if is_new else "each name once",
            found="the other loop of this tile" if is_new else "",
        )
        return False
    return True


def _check_operand(state: _State, operand: ast.Operand, slot: Slot, form: Form) -> bool:
    if isinstance(operand, ast.Number):
        value = int(operand.text, 0)
        if "number" in slot.kinds and slot.smallest <= value <= slot.largest:
            return True
        is_count = "number" in slot.kinds
        upper = f"{slot.smallest} to {slot.largest}"
        if slot.largest == LARGEST_TILE:
            upper = f"{slot.smallest} or more"
        what = upper if is_count else kind_names(slot, state.target)
        # W619
        state.report.report(
            operand.span,
            "W619",
            "this number cannot stand here",
            expected=what,
            found=operand.text,
            help=form.told(state.target) if is_count else "",
        )
        return False
    if isinstance(operand, ast.Applied):
        if operand.name.name in slot.applied and len(operand.arguments) == 1:
            return True
        _malformed(state, operand.span, form, f"{operand.name.name}(...)")
        return False
    return _check_place(state, operand, slot, form)


def _check_place(state: _State, place: ast.Place, slot: Slot, form: Form) -> bool:
    name = place.name.name
    if place.axis is None:
        if name in slot.words or ("loop" in slot.kinds and name in state.loops):
            return True
        if "new" in slot.kinds:
            return _check_new(state, place)
        if "value" in slot.kinds and name in state.known.ranks:
            return True
    elif "axis" in slot.kinds and name in state.known.ranks:
        return _check_axis(state, place, place.axis)
    _unknown(state, place, slot, form)
    return False


def _check_new(state: _State, place: ast.Place) -> bool:
    name = place.name.name
    if name not in state.loops and name not in state.known.ranks:
        return True
    # W621
    state.report.report(
        place.span,
        "W621",
        f"'{name}' is the name of something else",
        expected="a new name for the loop",
        found="a loop" if name in state.loops else "a value of the kernel",
    )
    return False


def _check_axis(state: _State, place: ast.Place, axis: ast.Name) -> bool:
    """W620: `axis0` to the last dimension; W621: not one that is tiled."""
    rank, name = state.known.ranks[place.name.name], axis.name
    digits = name.removeprefix("axis")
    exists = name.startswith("axis") and digits.isdecimal() and str(int(digits)) == digits
    if not exists or (rank is not None and int(digits) >= rank):
        names = "no axis: it is a scalar"
        if rank is None or rank > 0:
            names = "axis0" if rank == 1 else f"axis0 to axis{rank - 1}" if rank else "axis0, axis1"
        # W620
        state.report.report(
            axis.span,
            "W620",
            f"'{place.name.name}' has no axis '{name}'",
            expected=names,
            help=close_match(name, [f"axis{n}" for n in range(rank or 2)]),
        )
        return False
    tiled = state.tiled.get(f"{place.name.name}.{name}")
    if tiled is None:
        return True
    loops = ", ".join(c for c in state.loops if state.loops[c] is tiled)
    # W621
    state.report.report(
        place.span,
        "W621",
        f"this axis is tiled at line {tiled.span.shown.line}",
        expected=f"one of its loops: {loops}",
    )
    return False


def _unknown(state: _State, place: ast.Place, slot: Slot, form: Form) -> None:
    """W620: what the name could have been."""
    name = place.name.name
    choices = list(slot.served(state.target))
    if "loop" in slot.kinds:
        choices += state.loops
    if "value" in slot.kinds:
        choices += state.known.ranks
    help_text = close_match(name, choices)
    message = f"'{name}' is not known here"
    ranks = state.known.ranks
    if place.axis is not None and "axis" in slot.kinds:
        message = f"'{place.span.text}' is no loop"
        axes = [f"{value}.{place.axis.name}" for value, rank in ranks.items() if rank != 0]
        help_text = close_match(place.span.text, axes)
    elif place.axis is not None:
        message = f"'{place.span.text}' is an axis"
        help_text = f"name the value: {name}" if name in ranks and "value" in slot.kinds else ""
    elif name in ranks and "axis" in slot.kinds:
        message = f"'{name}' is a value, and has axes"
        help_text = f"name one of them: {name}.axis0"
        if ranks[name] == 0:
            message, help_text = f"'{name}' is a scalar, and has no loops", ""
    elif name in ranks and slot.kinds == {"number"}:
        message, help_text = f"'{name}' is a value, and no number", form.told(state.target)
    created = _creator(state, name)
    if created is not None and "loop" in slot.kinds:
        help_text = f"'{name}' is created at line {created.span.shown.line}, after this"
    # W620
    state.report.report(
        place.span,
        "W620",
        message,
        expected=kind_names(slot, state.target),
        found=place.span.text,
        help=help_text,
    )


def _creator(state: _State, name: str) -> ast.Directive | None:
    for directive in state.schedule.directives:
        for clause in directive.clauses:
            if clause.word == "->" and any(
                isinstance(o, ast.Place) and o.name.name == name for o in clause.operands
            ):
                return directive
    return None


def _note(state: _State, directive: ast.Directive) -> None:
    """W621: nothing is said twice. Loops and tiled axes are remembered."""
    words = FORMS[directive.name.name].operands.words
    subjects = [
        ast_text(o)
        for o in directive.operands
        if not isinstance(o, ast.Number) and (directive.name.name == "fold" or not words)
    ] or [""]
    if directive.name.name == "fuse":
        # A value may go into several others, and several into one.
        subjects = [f"{a}, {b}" for a, b in pairwise(subjects)]
    for subject in subjects:
        key = (directive.name.name, subject)
        before = state.said.setdefault(key, directive)
        if before is not directive:
            about = f" of '{subject}'" if subject else ""
            # W621
            state.report.report(
                directive.span,
                "W621",
                f"'{directive.name.name}'{about} is said twice",
                found=f"'{print_directive(before)}' at line {before.span.shown.line}",
                help="keep one of them",
            )
    for clause in directive.clauses:
        if clause.word == "->":
            state.loops.update((ast_text(o), directive) for o in clause.operands)
            state.tiled[ast_text(directive.operands[0])] = directive


def ast_text(operand: ast.Operand) -> str:
    if isinstance(operand, ast.Place) and operand.axis is not None:
        return f"{operand.name.name}.{operand.axis.name}"
    return operand.text if isinstance(operand, ast.Number) else operand.name.name


def within(diagnostic: Diagnostic, schedule: ast.Schedule) -> bool:
    """Whether a diagnostic is about a directive of the schedule."""
    return any(
        d.span.start <= diagnostic.span.start < max(d.span.end, d.span.start + 1)
        for d in schedule.directives
    )
