# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can go wrong while a correct program runs, and what the user is told then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from weft.diagnostics import RunError
from weft.semantics import typed

if TYPE_CHECKING:
    import numpy as np


class Fault(NamedTuple):
    """One `code` that the entry of a module may return."""

    code: int
    message: str
    below: int
    indices: str = ""
    """The input that the indices are, where they are one as it was given."""

    @property
    def expected(self) -> str:
        return f"0 to {self.below - 1}"


def listed(module: typed.Module) -> list[Fault]:
    """Those of all kernels of a module, by code."""
    given = _given(module)
    found = [
        describe(statement, module.path, given.get(kernel.name, {}))
        for kernel in module.kernels
        for statement in _statements(kernel.body)
        if isinstance(statement, typed.CheckedIndices)
    ]
    return sorted(found)


def _given(module: typed.Module) -> dict[str, dict[int, str]]:
    """By kernel, which of its values are inputs of the entry, whoever calls it."""
    given = {module.entry.name: {value.id: value.name for value in module.entry.inputs}}
    for kernel in reversed(module.kernels):
        known = given.get(kernel.name, {})
        for call in _statements(kernel.body):
            if not isinstance(call, typed.Call):
                continue
            inputs = module.kernel(call.kernel).inputs
            names = {
                value.id: known.get(argument.id, "")
                for value, argument in zip(inputs, call.arguments, strict=True)
            }
            before = given.setdefault(call.kernel, names)
            given[call.kernel] = {n: name for n, name in names.items() if before.get(n) == name}
    return given


def _statements(body: tuple[typed.Statement, ...]) -> Iterator[typed.Statement]:
    for statement in body:
        yield statement
        if isinstance(statement, typed.For):
            yield from _statements(statement.body)


def describe(node: typed.CheckedIndices, path: str, inputs: Mapping[int, str]) -> Fault:
    """The file without its folders: what is compiled does not depend on where the source lies.
    `inputs` are names by the numbers of values."""
    line, column = node.span.source.line_column(node.span.start)
    message = f"{Path(path).name}:{line}:{column}: an index is out of range in {node.what}"
    return Fault(node.code, message, node.below, inputs.get(node.source.id, ""))


def error(fault: Fault, indices: np.ndarray | None, name: str = "") -> RunError:
    """`indices` are those that were checked, where they are known; `name` what the source calls
    them."""
    return RunError(
        fault.message,
        expected=fault.expected,
        found="" if indices is None else _first_wrong(indices, fault.below, name),
        help="negative indices do not count from the end",
    )


def _first_wrong(indices: np.ndarray, below: int, name: str) -> str:
    """`idx[1] = 4`: the first that is out of range, in row-major order."""
    import numpy as np

    places = np.argwhere((indices < 0) | (indices >= below))
    if not len(places):
        return ""  # whoever called has changed them since
    place = tuple(map(int, places[0]))
    where = f"[{', '.join(map(str, place))}]" if place else ""
    value = int(indices[place])
    return f"{name}{where} = {value}" if name else f"{value} at {where}" if where else str(value)
