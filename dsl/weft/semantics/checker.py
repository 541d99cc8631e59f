# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The semantic check, in two rounds over the same rules.

`check` reads every kernel with sizes as symbols: what is wrong for all sizes is found here.
`instantiate` reads one kernel, and what it calls, with concrete sizes: the remaining checks, and
the typed AST.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from weft.diagnostics import CompilerBug, Diagnostic, RunError, SourceError, Span, close_match
from weft.semantics import drafts, schedule, tables, typed
from weft.semantics.call_graph import check_calls
from weft.semantics.context import (
    RESERVED_NAMES,
    Context,
    Poison,
    Poisoned,
    Reporter,
    Tensor,
    TooManyErrors,
)
from weft.semantics.depth import deep_recursion
from weft.semantics.drafts import Pending
from weft.semantics.scheduled import Scheduled, apply_schedule, refuse_unserved
from weft.semantics.signature import (
    Signature,
    describe,
    new_context,
    read_cases,
    read_parameter,
    solve,
)
from weft.semantics.sizes import Size
from weft.semantics.statements import close_block, run_block
from weft.syntax import ast

MAX_ERRORS = 50


@dataclass(frozen=True)
class Checked:
    """A file without errors that do not depend on sizes."""

    file: ast.File
    kernels: Mapping[str, ast.Kernel]
    signatures: Mapping[str, Signature]
    schedules: tuple[ast.Schedule, ...] = ()

    def names(self) -> dict[str, Signature]:
        """Kernels and programs, in the order of the source."""
        return dict(self.signatures)


@dataclass(frozen=True)
class _Names:
    """The other kernels, as the generic check sees them: by their signature only."""

    kernels: Mapping[str, ast.Kernel]

    def instance(self, name: str, sizes: Mapping[str, Size], span: Span) -> str:
        del sizes, span
        return name

    def fault_code(self) -> int:
        return 1

    def definition(self, name: str) -> ast.Kernel | None:
        return self.kernels.get(name)

    def names(self) -> list[str]:
        return list(self.kernels)


def check(file: ast.File) -> Checked:
    """Everything that does not depend on sizes. `SourceError` with all diagnostics."""
    report = Reporter()
    cases: dict[str, dict[str, dict[str, int]]] = {}
    bodies: dict[str, _Body | None] = {}
    kernels: dict[str, ast.Kernel] = {}
    schedules: tuple[ast.Schedule, ...] = ()
    with suppress(TooManyErrors), deep_recursion():
        kernels = _definitions(report, file)
        names = _Names(kernels)
        check_calls(report, kernels)
        for definition in file.definitions:
            if isinstance(definition, ast.Schedule):
                continue
            bodies[definition.name.name] = _run_kernel(report, definition, names, None)
            cases[definition.name.name] = read_cases(report, definition, names)
        schedules = _schedules(report, file, kernels, bodies)
    _raise(report.errors)
    signatures = {n: describe(k, cases[n]) for n, k in kernels.items()}
    return Checked(file, kernels, signatures, schedules)


def _raise(errors: list[Diagnostic]) -> None:
    if errors:
        raise SourceError(sorted(errors, key=lambda e: e.span.start)[:MAX_ERRORS])


def _definitions(report: Reporter, file: ast.File) -> dict[str, ast.Kernel]:
    """W102, W105"""
    kernels: dict[str, ast.Kernel] = {}
    for definition in file.definitions:
        if isinstance(definition, ast.Schedule):
            continue
        name = definition.name
        if name.name in RESERVED_NAMES:
            report.report(
                name.span,
                "W105",
                f"'{name.name}' is a name of the language",
                help="choose another name",
            )
        elif name.name in kernels:
            first = kernels[name.name].name.span.line
            report.report(
                name.span,
                "W102",
                f"'{name.name}' is already defined at line {first}",
                expected="different names",
            )
        else:
            kernels[name.name] = definition
    return kernels


def _schedules(
    report: Reporter,
    file: ast.File,
    kernels: Mapping[str, ast.Kernel],
    bodies: Mapping[str, _Body | None],
) -> tuple[ast.Schedule, ...]:
    """Every schedule, whatever its target: what it names, and the kernel as it makes it."""
    found: list[ast.Schedule] = []
    for definition in file.definitions:
        if not isinstance(definition, ast.Schedule):
            continue
        if not schedule.check_names(report, definition, kernels, found):
            continue
        found.append(definition)
        kernel, body = kernels[definition.kernel.name], bodies[definition.kernel.name]
        if body is None:
            continue  # what it is about is wrong, and reported
        before = len(report.errors)
        schedule.check_directives(report, definition, _known(kernel, body))
        if len(report.errors) > before:
            continue
        made = apply_schedule(report, kernel, definition)
        trial = Reporter()
        _run_kernel(trial, made.kernel, _Names(kernels), None)
        report.errors += [e for e in trial.errors if schedule.within(e, definition)]
    return tuple(found)


def _known(kernel: ast.Kernel, body: _Body) -> schedule.Known:
    """Names of values with their ranks; a name for a weak tensor has none yet."""
    ranks: dict[str, int | None] = {}
    for statement in kernel.body:
        if isinstance(statement, ast.Const):
            ranks[statement.name.name] = len(statement.ranges)
        elif isinstance(statement, ast.Assign):
            ranks.update((t.name.name, None) for t in statement.targets)
    ranks.update((v.name, v.type.rank) for v in body.inputs)
    for value in _defined(body.statements):
        if value.name:
            ranks[value.name] = value.type.rank
    ranks.update((name, value.type.rank) for name, value in body.outputs)
    return schedule.Known(ranks)


def _defined(statements: tuple[typed.Statement, ...]) -> Iterator[typed.Value]:
    for statement in statements:
        if isinstance(statement, typed.Map):
            yield from (result.target for result in statement.results)
        elif isinstance(statement, typed.Call):
            yield from statement.targets
        elif isinstance(statement, typed.For):
            yield from (carry.result for carry in statement.carries)
            yield from _defined(statement.body)
        else:
            yield statement.target


# ------------------------------------------------------------------------------------ one kernel


@dataclass(frozen=True)
class _Body:
    """A checked kernel: its inputs, outputs and statements."""

    inputs: tuple[typed.Value, ...]
    outputs: tuple[tuple[str, typed.Value], ...]
    statements: tuple[typed.Statement, ...]


def _run_kernel(
    report: Reporter,
    kernel: ast.Kernel,
    kernels: _Names | _Instances,
    sizes: Mapping[str, int] | None,
) -> _Body | None:
    """Check a kernel; None where it is wrong."""
    before = len(report.errors)
    ctx = new_context(report, kernel, kernels, sizes)
    inputs: list[typed.Value] = []
    for parameter in kernel.inputs:
        try:
            element, shape = read_parameter(ctx, parameter)
            value = ctx.value(parameter.name.name, element, shape, parameter.name.span)
            _bind(ctx, parameter, Tensor(value, shape, is_input=True))
            inputs.append(value)
        except Poisoned:
            ctx.scope.names.setdefault(parameter.name.name, Poison())
    for parameter in kernel.outputs:
        try:
            element, shape = read_parameter(ctx, parameter)
            made = Pending(parameter.name.name, parameter.span, True, element, shape)
            ctx.outputs[parameter.name.name] = element
            _bind(ctx, parameter, made)
        except Poisoned:
            ctx.scope.names[parameter.name.name] = Poison()
    run_block(ctx, kernel.body)
    close_block(ctx)
    if len(report.errors) > before:
        return None
    outputs: list[tuple[str, typed.Value]] = []
    for parameter in kernel.outputs:
        name = parameter.name.name
        meaning = ctx.scope.names[name]
        if not isinstance(meaning, Tensor):
            return None  # what it calls is wrong, and was reported there
        outputs.append((name, meaning.value))
    statements = drafts.finish([*ctx.prelude, *ctx.block])
    return _Body(tuple(inputs), tuple(outputs), statements)


def _bind(ctx: Context, parameter: ast.Parameter, meaning: Tensor | Pending) -> None:
    ctx.scope.names[parameter.name.name] = meaning
    ctx.scope.spans[parameter.name.name] = parameter.name.span


# ----------------------------------------------------------------------------------- instantiation


class _Instances(_Names):
    """Makes each called kernel once for each set of sizes."""

    def __init__(self, scheduled: Mapping[str, Scheduled]) -> None:
        kernels = {name: made.kernel for name, made in scheduled.items()}
        object.__setattr__(self, "kernels", kernels)
        self.__dict__["scheduled"] = scheduled
        self.__dict__["made"] = {}
        self.__dict__["order"] = []
        self.__dict__["errors"] = []
        self.__dict__["faults"] = 0

    def instance(self, name: str, sizes: Mapping[str, Size], span: Span) -> str:
        values = {n: s.concrete for n, s in sizes.items()}
        shown = ", ".join(f"{n}={v}" for n, v in values.items())
        note = f"in '{name}'" + (f" with {shown}" if shown else "") + f", called at {span}"
        return self.make(name, values, note)

    def fault_code(self) -> int:
        self.__dict__["faults"] += 1
        return int(self.__dict__["faults"])

    def make(self, name: str, sizes: Mapping[str, int], note: str) -> str:
        definition = self.kernels[name]
        key = (name, tuple(sizes[n.name] for n in definition.sizes))
        made: dict[object, str | None] = self.__dict__["made"]
        if key not in made:
            made[key] = None
            report = Reporter(note)
            body = _run_kernel(report, definition, self, sizes)
            self.__dict__["errors"].extend(report.errors)
            if body is not None:
                made[key] = self._finish(definition, key[1], body)
        unique = made[key]
        if unique is None:
            raise Poisoned
        return unique

    def _finish(self, definition: ast.Kernel, values: tuple[int, ...], body: _Body) -> str:
        order: list[typed.Kernel] = self.__dict__["order"]
        made: Scheduled = self.__dict__["scheduled"][definition.name.name]
        taken = {k.name for k in order} | (set(self.kernels) - {definition.name.name})
        unique = definition.name.name
        if unique in taken:
            unique = "_".join([unique, *map(str, values)])
        while unique in taken:
            unique += "_"
        sizes = tuple((n.name, v) for n, v in zip(definition.sizes, values, strict=True))
        order.append(
            typed.Kernel(
                unique,
                definition.name.name,
                definition.is_program,
                sizes,
                body.inputs,
                body.outputs,
                body.statements,
                definition.span,
                made.directives,
                made.places,
                made.unroll,
                made.complex_form,
                made.exchange,
                made.split,
                made.order,
                made.asked,
                dict(sizes)[definition.groups.name] if definition.groups else None,
            )
        )
        return unique


def instantiate(
    checked: Checked, name: str, sizes: Mapping[str, int], target: str | None = None
) -> typed.Module:
    """The kernel and all it calls, for concrete sizes. `SourceError` where they break a rule.

    `target` is what it is compiled for: the schedules on it act. Without one none does.
    """
    kernel = _kernel(checked, name)
    _check_given(kernel, sizes)
    instances = _Instances(_scheduled(checked, name, target))
    shown = ", ".join(f"{n.name}={sizes[n.name]}" for n in kernel.sizes)
    with deep_recursion():
        try:
            instances.make(name, dict(sizes), f"with {shown}" if shown else "")
        except (Poisoned, TooManyErrors):
            _raise(instances.__dict__["errors"])
            raise CompilerBug("a wrong kernel was not reported", stage="semantics") from None
    _raise(instances.__dict__["errors"])
    module = typed.Module(checked.file.source.path, tuple(instances.__dict__["order"]))
    _raise(tables.too_many(module))
    return module


def _scheduled(checked: Checked, name: str, target: str | None) -> dict[str, Scheduled]:
    """All kernels, as the schedules on the target make them; W902 for those that take part."""
    made = {name: Scheduled(kernel) for name, kernel in checked.kernels.items()}
    used = _reached(checked.kernels, name)
    report = Reporter()
    for found in checked.schedules:
        kernel = found.kernel.name
        if found.target.name == target and kernel in used:
            refuse_unserved(report, found)
            made[kernel] = apply_schedule(report, checked.kernels[kernel], found)
    _raise(report.errors)
    return made


def _reached(kernels: Mapping[str, ast.Kernel], name: str) -> set[str]:
    """The kernel and all that it calls."""
    reached: set[str] = set()
    waiting = [name]
    while waiting:
        kernel = waiting.pop()
        if kernel in kernels and kernel not in reached:
            reached.add(kernel)
            waiting += _called(kernels[kernel])
    return reached


def _called(kernel: ast.Kernel) -> list[str]:
    return [n.function.name for s in kernel.body for n in ast.walk(s) if isinstance(n, ast.Call)]


def _kernel(checked: Checked, name: str) -> ast.Kernel:
    if name not in checked.kernels:
        raise RunError(
            f"there is no kernel {name!r} in {checked.file.source.path}",
            argument="kernel",
            expected=", ".join(checked.kernels),
            help=close_match(name, checked.kernels),
        )
    return checked.kernels[name]


def _check_given(kernel: ast.Kernel, sizes: Mapping[str, int]) -> None:
    names = [n.name for n in kernel.sizes]
    for name in sizes:
        if name not in names:
            raise RunError(
                f"{kernel.name.name} has no size {name!r}",
                argument=name,
                expected=", ".join(names) or "no sizes",
                help=close_match(name, names),
            )
    missing = [n for n in names if n not in sizes]
    if missing:
        raise RunError(
            f"{kernel.name.name} needs a value for the size {missing[0]!r}",
            argument=missing[0],
            expected=", ".join(names),
            help=f"no argument shows it; give it to weft.compile: {missing[0]}=...",
        )
    for name in names:
        value = sizes[name]
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 1 << 48:
            raise RunError(
                f"the size {name!r} is no extent",
                argument=name,
                expected="an integer from 1 to 2^48",
                found=repr(value),
            )


def solve_sizes(
    checked: Checked,
    name: str,
    shapes: Mapping[str, tuple[int, ...]],
    given: Mapping[str, int] | None = None,
) -> dict[str, int]:
    """Sizes that follow from the shapes of the arguments (all of them must be there).

    `RunError` names the argument that does not fit. A size that no argument determines is left out.
    """
    kernel = _kernel(checked, name)
    wanted = [p.name.name for p in kernel.inputs]
    missing = [n for n in wanted if n not in shapes]
    if missing:
        raise RunError(
            f"{name} needs the argument {missing[0]!r}",
            argument=missing[0],
            expected=", ".join(wanted),
        )
    return solve(kernel, _Names(checked.kernels), shapes, given or {})
