# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The proof that every element of a tensor is assigned exactly once.

Each assignment gives a box of elements, one arithmetic progression a dimension. Boxes within the
bounds, pairwise disjoint and together as many as the tensor's elements cover it exactly.
"""

from __future__ import annotations

from collections.abc import Hashable
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from weft.diagnostics import Span
from weft.semantics import typed
from weft.semantics.drafts import ForDraft, MapDraft, Pending, Region
from weft.semantics.indices import Progression, progression
from weft.semantics.sizes import Size, equal, shape_text, size, unknown

if TYPE_CHECKING:
    from weft.semantics.context import Context, Tensor

MAX_SEARCHED = 1 << 24
# Beyond every index.
FAR = 1 << 62


def complete(ctx: Context, pending: Pending, read: Span | None) -> Tensor:
    """Close a tensor assigned by elements: check it, make its values, give its final meaning."""
    from weft.semantics.context import Poison, Poisoned, Tensor

    if pending.poisoned:
        ctx.scope.replace(pending.name, Poison())
        raise Poisoned
    if pending.in_nest:
        # W504
        ctx.fail(
            read or pending.span,
            "W504",
            f"'{pending.name}' is read by the loops that assign it",
            help="end the loops first: elements of a value do not depend on one another",
        )
    if not pending.regions:
        _never_assigned(ctx, pending, read)
    assert pending.element is not None
    if pending.shape is None:
        pending.shape = _inferred_shape(pending)
    try:
        if not ctx.generic:
            _check_cover(ctx, pending, pending.shape)
        meaning = Tensor(_make_values(ctx, pending), pending.shape)
    except Poisoned:
        ctx.scope.replace(pending.name, Poison())
        raise
    ctx.scope.replace(pending.name, meaning)
    return meaning


def _never_assigned(ctx: Context, pending: Pending, read: Span | None) -> None:
    if read is not None:
        # W110
        ctx.fail(
            read,
            "W110",
            f"'{pending.name}' is read before it is assigned",
            expected=f"an assignment of '{pending.name}' before this line",
            help=f"what an iteration reads of the one before is carried: carry last = ...,"
            f" {pending.name}[{ctx.time.name}] = last"
            if ctx.time is not None and pending.is_output
            else "",
        )
    # W501
    ctx.fail(
        pending.span,
        "W501",
        f"the output '{pending.name}' is never assigned",
        help=f"assign it: {pending.name} = ...",
    )


def _inferred_shape(pending: Pending) -> tuple[Size, ...]:
    """A local tensor extends to the last element assigned."""
    extents: list[Size] = []
    for axis in range(len(pending.regions[0].indices)):
        ends: list[Size] = []
        for region in pending.regions:
            bounds = region.indices[axis].range()
            ends.append(unknown() if bounds is None else bounds[1] + size(1))
        values = [e.value for e in ends if e.value is not None]
        if len(values) == len(ends):
            extents.append(max(ends, key=lambda e: e.value or 0))
        else:
            same = all(equal(ends[0], e) for e in ends[1:])
            extents.append(ends[0] if same else unknown())
    return tuple(extents)


def check_region(ctx: Context, pending: Pending, region: Region) -> None:
    """What can be said of one assignment whatever the sizes are."""
    for index in region.indices:
        if index.modulus is not None:
            _unproven(ctx, region.span, "an index on the left is a remainder")
    for variable in region.loops:
        uses = sum(variable in index.variables for index in region.indices)
        if uses > 1:
            _unproven(ctx, region.span, f"'{variable.name}' stands in {uses} indices on the left")
        extent = variable.upper - variable.lower
        if uses == 0 and equal(extent, size(1)) is not True:
            # W502
            ctx.fail(
                region.span,
                "W502",
                f"the same element of '{pending.name}' is assigned for every '{variable.name}'",
                expected=f"'{variable.name}' among the indices on the left",
                found=f"{variable.name} in {variable.lower}:{variable.upper}",
            )
    other = pending.by_indices.setdefault(_key(region), region)
    if other is not region:
        _twice(ctx, pending, region, other)


def _key(region: Region) -> Hashable:
    return tuple(
        (i.constant, tuple(sorted((c.terms, v.lower.terms, v.upper.terms) for v, c in i.terms)))
        for i in region.indices
    )


def _unproven(ctx: Context, span: Span, why: str) -> None:
    # W505
    ctx.fail(
        span,
        "W505",
        "it cannot be proven that each element is assigned exactly once",
        expected="indices such as i, 2*i+1, n-1-i, or 4*i+j with j in 0:4; each name in one index",
        found=why,
    )


def _twice(ctx: Context, pending: Pending, region: Region, other: Region) -> None:
    # W502
    ctx.fail(
        region.span,
        "W502",
        f"elements of '{pending.name}' are assigned twice",
        expected="each element once",
        found=f"they are also assigned at line {other.span.line}, column {other.span.column}",
    )


def _check_cover(ctx: Context, pending: Pending, shape: tuple[Size, ...]) -> None:
    boxes: list[tuple[Progression, ...]] = []
    rank = len(pending.regions[0].indices)
    firsts = np.empty((len(pending.regions), rank), dtype=np.int64)
    lasts = np.empty_like(firsts)
    for region in pending.regions:
        box: list[Progression] = []
        for index in region.indices:
            values = progression(index)
            if values is None:
                _unproven(ctx, region.span, "several variables in one index overlap")
                return
            box.append(values)
        # Most boxes lie apart; only for those that may not is each dimension looked at.
        given_so_far = len(boxes)
        firsts[given_so_far] = [max(-FAR, min(p.first, FAR)) for p in box]
        lasts[given_so_far] = [max(-FAR, min(p.last, FAR)) for p in box]
        near = (firsts[:given_so_far] <= lasts[given_so_far]) & (
            lasts[:given_so_far] >= firsts[given_so_far]
        )
        for n in np.flatnonzero(near.all(axis=1)):
            if all(a.meets(b) for a, b in zip(boxes[n], box, strict=True)):
                _twice(ctx, pending, region, pending.regions[n])
        boxes.append(tuple(box))
    total = prod(s.concrete for s in shape)
    given = sum(prod(p.count for p in box) for box in boxes)
    if given == total:
        return
    first = pending.regions[0]
    example = _missing(boxes, [s.concrete for s in shape])
    # W503
    ctx.fail(
        first.span,
        "W503",
        f"not every element of '{pending.name}' is assigned",
        expected=f"all elements of {shape_text(shape)}",
        found=f"{total - given} of {total} are never assigned"
        + (f", such as {pending.name}[{', '.join(map(str, example))}]" if example else ""),
    )


def _missing(boxes: list[tuple[Progression, ...]], shape: list[int]) -> tuple[int, ...]:
    """The first element in none of the boxes, where the tensor is small enough to look."""
    if prod(shape) > MAX_SEARCHED:
        return ()
    given = np.zeros(shape, dtype=bool)
    for box in boxes:
        given[tuple(slice(p.first, p.last + 1, p.step) for p in box)] = True
    return tuple(int(i) for i in np.unravel_index(int(np.argmin(given)), shape))


def _make_values(ctx: Context, pending: Pending) -> typed.Value:
    """A value after each statement that gives elements; the last one is the whole tensor."""
    assert pending.element is not None
    assert pending.shape is not None
    current: typed.Value | None = None

    def new(span: Span) -> typed.Value:
        assert pending.element is not None
        assert pending.shape is not None
        return ctx.value(pending.name, pending.element, pending.shape, span)

    for step in pending.steps:
        if isinstance(step, MapDraft):
            target = new(next(s.span for s in step.stores if s.pending is pending))
            whole = len(pending.steps) == 1
            step.results[pending] = typed.Result(target, current, whole)
            current = target
            continue
        current = _make_loop_values(step, pending, current, new)
    assert current is not None
    return current


def _make_loop_values(
    loop: ForDraft, pending: Pending, initial: typed.Value | None, new: object
) -> typed.Value:
    assert callable(new)
    inserts = [i for i in loop.inserts if i.pending is pending]
    inside: typed.Value = new(inserts[0].span)
    last = inside
    for insert in inserts:
        insert.into = last
        insert.target = last = new(insert.span)
    result: typed.Value = new(loop.span)
    loop.carries.append(typed.Carry(initial, inside, last, result))
    return result
