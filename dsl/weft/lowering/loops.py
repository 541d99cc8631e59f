# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The `for` of programs: scf.for, whose iter_args are the carried values.

Written in MLIR's generic form: the pretty one has no place for the induction variable's location.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.lowering.text import listed
from weft.semantics import typed

if TYPE_CHECKING:
    from weft.lowering.statements import Statements


def write(statements: Statements, node: typed.For) -> None:
    writer, tensors = statements.writer, statements.tensors
    initial = [
        tensors[carry.initial.id]
        if carry.initial is not None
        else statements.empty(carry.inside.type, carry.inside.span, carry.inside.name)
        for carry in node.carries
    ]
    body = statements.body()
    bounds = [
        body.index(typed.Affine(constant=bound), node.span)
        for bound in (node.loop.lower, node.loop.upper, 1)
    ]
    results = [writer.fresh(carry.result.name) for carry in node.carries]
    types = [carry.inside.type.mlir for carry in node.carries]
    equals = f"{listed(results)} = " if results else ""
    opening = f'{equals}"scf.for"({listed(bounds + initial)}) ({{'
    takes = listed(["index", "index", "index", *types])
    index = f' {{weft.index = "{node.loop.index.name}"}}' if node.loop.index.name else ""
    closing = f"}}){index} : ({takes}) -> ({listed(types)})"
    name = node.carries[0].result.name if node.carries else ""
    with writer.region(opening, closing, node.span, name):
        _arguments(statements, node)
        statements.write(node.body)
        after = [tensors[carry.next.id] for carry in node.carries]
        shown = f" {listed(after)} : {listed(types)}" if after else ""
        writer.op(f"scf.yield{shown}", node.span)
    for carry, result in zip(node.carries, results, strict=True):
        tensors[carry.result.id] = result


def _arguments(statements: Statements, node: typed.For) -> None:
    writer, index = statements.writer, node.loop.index
    statements.indices[index.id] = step = writer.fresh(index.name or "step")
    shown = [f"{step}: index {writer.location(index.span, index.name)}"]
    for carry in node.carries:
        value = statements.define(carry.inside)
        location = writer.location(carry.inside.span, carry.inside.name)
        shown.append(f"{value}: {carry.inside.type.mlir} {location}")
    writer.arguments(f"^bb0({listed(shown)}):")
