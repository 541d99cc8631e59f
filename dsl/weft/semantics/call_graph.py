# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which kernels call which: no cycles, and no more of anything than is compiled within seconds.

Every call is inlined, so a kernel is as large as itself and all that it calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from weft.semantics.context import Reporter
from weft.syntax import ast

MAX_CALL_DEPTH = 64
# Passes that compare all operations with one another, and the C compiler, which takes more than
# linear time for one long function, take some seconds for these.
MAX_CALLS = 1024
MAX_STATEMENTS = 2048


class Inlined(NamedTuple):
    """What a kernel has once the calls that it makes are written out."""

    calls: int = 0
    statements: int = 0


def check_calls(report: Reporter, kernels: Mapping[str, ast.Kernel]) -> None:
    """W106, W616, W622, W623: calls form no cycle, are not too deep; nothing is too large."""
    calls = {
        name: [n for s in k.body for n in ast.walk(s) if isinstance(n, ast.Call)]
        for name, k in kernels.items()
    }
    depth: dict[str, int] = {}
    inlined: dict[str, Inlined] = {}
    for root in kernels:
        _visit(report, root, kernels, calls, depth, inlined)


def _visit(
    report: Reporter,
    root: str,
    kernels: Mapping[str, ast.Kernel],
    calls: Mapping[str, list[ast.Call]],
    depth: dict[str, int],
    inlined: dict[str, Inlined],
) -> None:
    """Depth first, without recursion; `depth` of a kernel being visited is -1."""
    if root in depth:
        return
    depth[root] = -1
    path = [(root, iter(calls[root]))]
    while path:
        name, rest = path[-1]
        call = next(rest, None)
        if call is None:
            below = [depth[c.function.name] for c in calls[name] if c.function.name in depth]
            depth[name] = 1 + max((d for d in below if d >= 0), default=0)
            inlined[name] = _inlined(report, kernels[name], calls[name], inlined)
            path.pop()
            continue
        callee = call.function.name
        if callee not in calls:
            continue
        if depth.get(callee) == -1:
            report.report(
                call.span,
                "W106",
                f"'{callee}' calls itself" + ("" if callee == name else f" through '{name}'"),
                help="use a loop",
            )
        elif callee not in depth:
            if len(path) > MAX_CALL_DEPTH:
                report.report(
                    call.span,
                    "W616",
                    f"calls nest more than {MAX_CALL_DEPTH} deep",
                    help="put some of the kernels together",
                )
                depth[callee] = 0
                continue
            depth[callee] = -1
            path.append((callee, iter(calls[callee])))


def _inlined(
    report: Reporter, kernel: ast.Kernel, calls: list[ast.Call], inlined: Mapping[str, Inlined]
) -> Inlined:
    """One that is too large is told once, and counts as empty where it is called."""
    count = _count_calls(report, calls, inlined)
    if count is None:
        return Inlined()
    return Inlined(count, _count_statements(report, kernel, calls, inlined))


def _count_calls(
    report: Reporter, calls: list[ast.Call], inlined: Mapping[str, Inlined]
) -> int | None:
    """How many calls are left in the kernel once those it makes are written out."""
    total = 0
    for call in calls:
        callee = call.function.name
        total += 1 + inlined[callee].calls if callee in inlined else 0
        if total > MAX_CALLS:
            # W622
            report.report(
                call.span,
                "W622",
                f"this is too many calls, those in '{callee}' included",
                expected=f"at most {MAX_CALLS}: each is compiled for itself",
                found=f"at least {total}",
                help="use a loop, or give a name to what is computed twice",
            )
            return None
    return total


def _count_statements(
    report: Reporter, kernel: ast.Kernel, calls: list[ast.Call], inlined: Mapping[str, Inlined]
) -> int:
    """How many statements the kernel has once the calls that it makes are written out."""
    total = 0
    for statement in _statements(kernel.body):
        total += 1
        if total > MAX_STATEMENTS:
            # W623
            report.report(
                statement.span,
                "W623",
                f"this is too many statements for '{kernel.name.name}'",
                expected=f"at most {MAX_STATEMENTS}: each is compiled for itself",
                found=f"{sum(1 for _ in _statements(kernel.body))}",
                help="use index notation or a loop",
            )
            return 0
    for call in calls:
        callee = call.function.name
        total += inlined[callee].statements if callee in inlined else 0
        if total > MAX_STATEMENTS:
            # W623
            report.report(
                call.span,
                "W623",
                f"this is too many statements, those of '{callee}' included",
                expected=f"at most {MAX_STATEMENTS}: each is compiled for itself",
                found=f"at least {total}",
                help="use a loop, or give a name to what is computed twice",
            )
            return 0
    return total


def _statements(body: tuple[ast.Statement, ...]) -> Iterator[ast.Statement]:
    for statement in body:
        yield statement
        if isinstance(statement, ast.For):
            yield from _statements(statement.body)
