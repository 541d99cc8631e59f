# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of indices alone, computed here once: tables in the place of scalars.

`exp(-0.5j * pi * k / n)` in a map is the same in each call, and along each other dimension. A
scalar becomes a table where it takes a function (exp, sin, ...; a product or a division alone costs
less than its load), depends on indices of its map and of sums in it, on numbers and on tables
alone, and where the table is small: 4096 elements, or 16384 where the map computes each of them
four times or more, as the C has them as text.

The values are those of the reference evaluation, each operation in its own type: of f32 fewer
digits than `const w[k in 0:n] = ...` has, which is rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np

from weft.semantics import typed
from weft.semantics.reference_scalars import Points
from weft.semantics.types import TensorType

MOST_ELEMENTS = 4096
MOST_REUSED, REUSES = 16384, 4
_FUNCTIONS = frozenset({"exp", "log", "sin", "cos", "tanh", "angle"})


def precomputed(kernel: typed.Kernel) -> typed.Kernel:
    """The kernel with tables in the place of such scalars, each before the statement it is for."""
    known = max((value.id for value in _values(kernel)), default=0)
    return replace(kernel, body=_Statements(known).of(kernel.body))


class _Statements:
    """Rewrites the statements of a kernel in order; `last` is the last id given to a value."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.tables: dict[int, np.ndarray] = {}

    def of(self, body: tuple[typed.Statement, ...]) -> tuple[typed.Statement, ...]:
        written: list[typed.Statement] = []
        for statement in body:
            if isinstance(statement, typed.Table):
                self.tables[statement.target.id] = statement.data
            elif isinstance(statement, typed.For):
                statement = replace(statement, body=self.of(statement.body))
            elif isinstance(statement, typed.Map):
                scalars = _Scalars(statement, self)
                statement = scalars.rewritten()
                written.extend(scalars.made)
            written.append(statement)
        return tuple(written)

    def value(self, name: str, scalar: typed.Scalar, shape: tuple[int, ...]) -> typed.Value:
        self.last += 1
        return typed.Value(self.last, name, TensorType(scalar.element, shape), scalar.span)


class _Scalars:
    """The scalars of one map. A node that several share is looked at, and rewritten, once."""

    def __init__(self, node: typed.Map, around: _Statements) -> None:
        self.map = node
        self.around = around
        self.made: list[typed.Table] = []
        self._depends: dict[int, frozenset[int] | None] = {}
        self._costly: dict[int, bool] = {}
        self._new: dict[int, Any] = {}

    def rewritten(self) -> typed.Map:
        loops = self.map.loops
        stores = tuple(
            replace(store, value=self._rewrite(store.value, loops)) for store in self.map.stores
        )
        if not self.made:
            return self.map
        # Locals that tables have taken in are no longer read.
        read = tuple(self._new[id(local)] for local in self.map.locals if id(local) in self._new)
        return replace(self.map, locals=read, stores=stores)

    def _rewrite(self, node: Any, loops: tuple[typed.Loop, ...]) -> Any:
        if id(node) not in self._new:
            table = None if isinstance(node, typed.Local) else self._table(node, loops)
            self._new[id(node)] = table or self._rebuilt(node, loops)
        return self._new[id(node)]

    def _rebuilt(self, node: typed.Scalar, loops: tuple[typed.Loop, ...]) -> typed.Scalar:
        if isinstance(node, typed.Reduce):
            loops = (*loops, *node.loops)
        changed = {
            name: new
            for name, part in _parts(node)
            if (new := self._rewrite(part, loops)) is not part
        }
        return replace(node, **changed) if changed else node

    def _table(self, node: typed.Scalar, loops: tuple[typed.Loop, ...]) -> typed.Scalar | None:
        depends = self._indices(node)
        if not depends or not self._takes_function(node):
            return None
        mine = tuple(loop for loop in loops if loop.index.id in depends)
        if len(mine) < len(depends):  # an index of a loop over time
            return None
        elements = math.prod(loop.extent for loop in mine)
        points = math.prod(loop.extent for loop in loops)
        if elements > (MOST_REUSED if points >= REUSES * elements else MOST_ELEMENTS):
            return None
        shape = tuple(loop.extent for loop in mine)
        with np.errstate(all="ignore"):
            data = Points(mine, self.around.tables, {}).value(node)
        data = np.ascontiguousarray(np.broadcast_to(data, shape))
        data.flags.writeable = False
        name = "_".join(["of", *(loop.index.name for loop in mine)])
        value = self.around.value(name, node, shape)
        self.made.append(typed.Table(value, data, node.span))
        places = tuple(typed.Affine(((loop.index, 1),), -loop.lower) for loop in mine)
        return typed.Read(value, places, node.span)

    def _indices(self, node: typed.Scalar) -> frozenset[int] | None:
        """Ids of the indices that a scalar depends on; None where it depends on more."""
        if id(node) not in self._depends:
            self._depends[id(node)] = self._found(node)
        return self._depends[id(node)]

    def _found(self, node: typed.Scalar) -> frozenset[int] | None:
        if isinstance(node, typed.ReadAt | typed.Reduce):
            return None
        if isinstance(node, typed.Read):
            if node.value.id not in self.around.tables:
                return None
            return frozenset(index.id for affine in node.indices for index, _ in affine.terms)
        if isinstance(node, typed.IndexValue):
            return frozenset(index.id for index, _ in node.index.terms)
        found: frozenset[int] = frozenset()
        for _, part in _parts(node):
            of_part = self._indices(part)
            if of_part is None:
                return None
            found |= of_part
        return found

    def _takes_function(self, node: typed.Scalar) -> bool:
        if id(node) not in self._costly:
            own = (isinstance(node, typed.Unary) and node.op in _FUNCTIONS) or (
                isinstance(node, typed.Binary) and node.op == "pow"
            )
            self._costly[id(node)] = own or any(
                self._takes_function(part) for _, part in _parts(node)
            )
        return self._costly[id(node)]


_OPERANDS: Mapping[type, tuple[str, ...]] = {
    typed.Local: ("value",),
    typed.Unary: ("operand",),
    typed.Binary: ("left", "right"),
    typed.Compare: ("left", "right"),
    typed.Select: ("condition", "then", "other"),
    typed.Power: ("base",),
    typed.Cast: ("operand",),
    typed.Reduce: ("body",),
}


def _parts(node: typed.Scalar) -> Iterator[tuple[str, typed.Scalar]]:
    """The scalars that one is made of, by field. Places that data says are left as they are."""
    for name in _OPERANDS.get(type(node), ()):
        yield name, getattr(node, name)


def _values(node: Any) -> Iterator[typed.Value]:
    """All values of a tree of typed nodes; shared nodes once."""
    seen: set[int] = set()
    open_: list[Any] = [node]
    while open_:
        part = open_.pop()
        if isinstance(part, typed.Value):
            yield part
        elif isinstance(part, tuple):
            open_.extend(part)
        elif is_dataclass(part) and id(part) not in seen:
            seen.add(id(part))
            open_.extend(getattr(part, field.name) for field in fields(part))
