# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Collectives to exchanges of blocks along the first axis, which lie contiguously in memory.

Other axes are transposed before and behind: transposes fold into their neighbours, which an
exchange cannot do. A reduction over groups is the gathering of what all have, and a reduction in
every group: in the same order in all of them, hence the same. One group alone has all there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from weft.diagnostics import Span
from weft.lowering.text import listed
from weft.semantics import typed
from weft.semantics.types import Element, TensorType

if TYPE_CHECKING:
    from weft.lowering.statements import Statements

_REDUCTIONS = {"add": "sum", "mul": "prod", "max": "max", "min": "min"}


class _Chain:
    """Operations one behind the other; the last one's result has the target's name."""

    def __init__(self, statements: Statements, source: typed.Value, target: typed.Value, at: Span):
        self.writer = statements.writer
        self.value = statements.tensors[source.id]
        self.shape = list(source.type.shape)
        self.element: Element = source.type.element
        self.target, self.span = target, at

    def _type(self) -> str:
        return TensorType(self.element, tuple(self.shape)).mlir

    def op(
        self, words: str, shape: Sequence[int], more: str = "", *, one_type: bool = False
    ) -> None:
        before = self._type()
        self.shape = list(shape)
        types = before if one_type else f"{before} -> {self._type()}"
        result = self.writer.fresh(self.target.name)
        text = f"{result} = weft.{words} {self.value}{more} : {types}"
        self.writer.op(text, self.span, self.target.name)
        self.value = result

    def reshape(self, shape: Sequence[int]) -> None:
        if list(shape) != self.shape:
            self.op("reshape", shape)

    def cut(self, axis: int, groups: int) -> None:
        """An extent as two dimensions, the parts of the groups first."""
        shape = self.shape
        self.reshape([*shape[:axis], groups, shape[axis] // groups, *shape[axis + 1 :]])

    def move(self, before: int, after: int) -> None:
        """A dimension to another place, the others in their order."""
        if before == after:
            return
        order = [dim for dim in range(len(self.shape)) if dim != before]
        order.insert(after, before)
        shape = [self.shape[dim] for dim in order]
        self.op("transpose", shape, f" perm [{listed(order)}]")

    def gather(self, groups: int) -> None:
        """What all groups have, the groups in front."""
        self.reshape([1, *self.shape])
        self.op("allgather", [groups, *self.shape[1:]], f" groups {groups}")


def _groups(statements: Statements) -> int:
    assert statements.groups is not None
    return statements.groups


def _begin(statements: Statements, node: typed.Alltoall | typed.Allgather | typed.Own) -> _Chain:
    return _Chain(statements, node.source, node.target, node.span)


def _end(
    statements: Statements, node: typed.Alltoall | typed.Allgather | typed.Own, chain: _Chain
) -> None:
    chain.reshape(node.target.type.shape)
    statements.tensors[node.target.id] = chain.value


def alltoall(statements: Statements, node: typed.Alltoall) -> None:
    groups, chain = _groups(statements), _begin(statements, node)
    if groups > 1:
        chain.cut(node.split, groups)
        chain.move(node.split, 0)
        chain.op("alltoall", chain.shape, f" groups {groups}", one_type=True)
        chain.move(0, node.concat)
    _end(statements, node, chain)


def allgather(statements: Statements, node: typed.Allgather) -> None:
    groups, chain = _groups(statements), _begin(statements, node)
    if groups > 1:
        chain.gather(groups)
        chain.move(0, node.axis)
    _end(statements, node, chain)


def own(statements: Statements, node: typed.Own) -> None:
    groups, chain = _groups(statements), _begin(statements, node)
    if groups > 1:
        chain.cut(node.axis, groups)
        chain.move(node.axis, 0)
        chain.op("own", [1, *chain.shape[1:]], f" groups {groups}")
    _end(statements, node, chain)


def allreduce(statements: Statements, node: typed.Allreduce) -> None:
    groups = _groups(statements)
    if groups == 1:
        statements.tensors[node.target.id] = statements.tensors[node.source.id]
        return
    chain = _Chain(statements, node.source, node.target, node.span)
    chain.gather(groups)
    writer, kind, at = statements.writer, node.target.type, node.span
    gathered = TensorType(kind.element, (groups, *kind.shape)).mlir
    names = [f"i{dim}" for dim in range(len(kind.shape))]
    result = statements.define(node.target)
    box = f"[{listed(0 for _ in names)}] to [{listed(kind.shape)}]"
    identity = f"affine_map<({listed(names)}) -> ({listed(names)})>"
    opening = f"{result} = weft.map {box} stores [{identity}] {{"
    with writer.region(opening, f"}} : {kind.mlir}", at, node.target.name):
        place = writer.location(at)
        points = [writer.fresh(name) for name in names]
        if points:
            writer.arguments(f"^bb0({listed(f'{point}: index {place}' for point in points)}):")
        total = writer.fresh("total")
        reduction = f"{total} = weft.reduce {_REDUCTIONS[node.op]} [0] to [{groups}] {{"
        with writer.region(reduction, f"}} : {kind.element.mlir}", at):
            group, one = writer.fresh("group"), writer.fresh("one")
            writer.arguments(f"^bb0({group}: index {place}):")
            index = listed([group, *points])
            writer.op(f"{one} = tensor.extract {chain.value}[{index}] : {gathered}", at)
            writer.op(f"weft.yield {one} : {kind.element.mlir}", at)
        writer.op(f"weft.yield {total} : {kind.element.mlir}", at)
