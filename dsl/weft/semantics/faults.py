# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can go wrong while a correct program runs, and what the user is told then."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from weft.diagnostics import RunError
from weft.semantics import typed


class Fault(NamedTuple):
    """One `code` that the entry of a module may return."""

    code: int
    message: str
    expected: str


def listed(module: typed.Module) -> list[Fault]:
    """Those of all kernels of a module, by code."""
    found = [
        describe(statement, module.path)
        for kernel in module.kernels
        for statement in _checks(kernel.body)
    ]
    return sorted(found)


def _checks(body: tuple[typed.Statement, ...]) -> Iterator[typed.CheckedIndices]:
    for statement in body:
        if isinstance(statement, typed.CheckedIndices):
            yield statement
        elif isinstance(statement, typed.For):
            yield from _checks(statement.body)


def describe(node: typed.CheckedIndices, path: str) -> Fault:
    """The file without its folders: what is compiled does not depend on where the source lies."""
    line, column = node.span.source.line_column(node.span.start)
    message = f"{Path(path).name}:{line}:{column}: an index is out of range in {node.what}"
    return Fault(node.code, message, f"0 to {node.below - 1}")


def error(fault: Fault) -> RunError:
    return RunError(
        fault.message,
        expected=fault.expected,
        help="negative indices do not count from the end",
    )
