# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors made of boxes, each with a formula of its own: what has a border, or halves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod

from weft.diagnostics import Span
from weft.semantics import typed
from weft.semantics.context import Context
from weft.semantics.indices import IndexVariable, variable_index
from weft.semantics.operand import Indices
from weft.semantics.sizes import Size, size
from weft.semantics.types import Element

Formula = Callable[[Indices], typed.Scalar]


@dataclass(frozen=True)
class Store:
    """Element `place(indices)` is `value(indices)`."""

    place: Callable[[Indices], Indices]
    value: Formula


@dataclass(frozen=True)
class Box:
    """The points lower..upper-1 of each dimension, and what is stored at each."""

    ranges: tuple[tuple[int, int], ...]
    stores: tuple[Store, ...]


def elements(ranges: tuple[tuple[int, int], ...], value: Formula) -> Box:
    """The elements within the ranges, each by its own indices."""
    return Box(ranges, (Store(lambda indices: indices, value),))


def assemble(
    ctx: Context,
    element: Element,
    shape: tuple[Size, ...],
    boxes: list[Box],
    name: str,
    span: Span,
) -> typed.Value:
    """The tensor whose elements the boxes give, each exactly once; empty boxes are left out."""
    filled = [box for box in boxes if all(lower < upper for lower, upper in box.ranges)]
    given = sum(prod(u - lo for lo, u in box.ranges) * len(box.stores) for box in filled)
    # In the generic check, whose tree is thrown away, sizes without values are 1.
    assert ctx.generic or given == prod(s.concrete for s in shape), (name, shape)
    current: typed.Value | None = None
    for box in filled:
        variables = tuple(
            IndexVariable(typed.Index(ctx.fresh(), f"i{axis}", span), size(lower), size(upper))
            for axis, (lower, upper) in enumerate(box.ranges)
        )
        at = tuple(variable_index(v) for v in variables)
        stores = tuple(
            typed.Store(0, tuple(i.typed() for i in s.place(at)), s.value(at), span)
            for s in box.stores
        )
        target = ctx.value(name, element, shape, span)
        result = typed.Result(target, current, complete=len(filled) == 1)
        loops = tuple(v.loop() for v in variables)
        ctx.block.append(typed.Map(loops, (), stores, (result,), span))
        current = target
    assert current is not None
    return current
