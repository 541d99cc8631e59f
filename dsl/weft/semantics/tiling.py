# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pad, tiles, untile: the same elements in other places, as maps.

Where a tensor has a border it is made by several maps, each of which gives a box of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

from weft.diagnostics import Span
from weft.semantics import typed
from weft.semantics.arguments import keyword
from weft.semantics.arithmetic import joined
from weft.semantics.context import Context
from weft.semantics.indices import AffineIndex, IndexVariable, constant_index, variable_index
from weft.semantics.operand import Indices, Operand, materialise, scalar, weak
from weft.semantics.sizes import Size, equal, negative, shape_text, size
from weft.semantics.sizing import check_extent, read_extent, read_size
from weft.semantics.types import Element, Kind
from weft.syntax import ast

Reader = Callable[[Context, ast.Expression], Operand]

# Arguments without a name, least and most, and those with one.
ARGUMENTS: dict[str, tuple[int, int, set[str]]] = {
    "pad": (2, 3, {"after", "value"}),
    "tiles": (1, 1, {"size", "step", "cover"}),
    "untile": (1, 1, {"step", "crop"}),
}


def read_call(ctx: Context, node: ast.Call, read: Reader) -> Operand:
    """The operand of a call of one of the three; `ARGUMENTS` were checked."""
    operand = read(ctx, node.arguments[0])
    if node.function.name == "pad":
        return _pad(ctx, node, operand, read)
    return (
        _tiles(ctx, node, operand) if node.function.name == "tiles" else _untile(ctx, node, operand)
    )


# ---------------------------------------------------------------------------------------- boxes


@dataclass(frozen=True)
class _Box:
    """Some elements of a tensor: for all `loops`, element `indices` is `value`."""

    loops: tuple[IndexVariable, ...]
    indices: Indices
    value: typed.Scalar


def _assembled(
    ctx: Context,
    boxes: Sequence[_Box],
    element: Element,
    name: str,
    shape: tuple[Size, ...],
    span: Span,
) -> typed.Value:
    """A tensor by its boxes, which are disjoint and all of it: a map each."""
    current: typed.Value | None = None
    for box in boxes:
        target = ctx.value(name, element, shape, span)
        store = typed.Store(0, tuple(i.typed() for i in box.indices), box.value, span)
        result = typed.Result(target, current, len(boxes) == 1)
        loops = tuple(v.loop() for v in box.loops)
        ctx.block.append(typed.Map(loops, (), (store,), (result,), span))
        current = target
    assert current is not None
    return current


def _variable(ctx: Context, name: str, lower: Size, upper: Size, span: Span) -> IndexVariable:
    return IndexVariable(typed.Index(ctx.fresh(), name, span), lower, upper)


def _statement(
    operand: Operand,
    kind: Kind,
    element: Element | None,
    shape: tuple[Size, ...],
    span: Span,
    produce: Callable[[Element, str, Span], typed.Value],
) -> Operand:
    return Operand(kind, element, shape, span, None, produce, free=operand.free)


# ------------------------------------------------------------------------------------------ pad


def _pad(ctx: Context, node: ast.Call, operand: Operand, read: Reader) -> Operand:
    """`pad(x, before, after=before, value=0)`."""
    after = keyword(node, "after")
    if len(node.arguments) > 2:
        if after is not None:
            # W108
            ctx.fail(after.span, "W108", "'after' is given twice", expected="each once")
        after = node.arguments[2]
    low = _amounts(ctx, node.arguments[1], operand)
    high = low if after is None else _amounts(ctx, after, operand)
    if len(low) != len(high):
        assert after is not None
        ctx.fail(
            after.span,
            "W313",
            "before and after pad different dimensions",
            expected=f"{len(low)} amounts",
            found=str(len(high)),
        )
    given = keyword(node, "value")
    value = weak(Kind.INT, 0, node.span) if given is None else read(ctx, given)
    if operand.kind is Kind.BOOL and given is None:
        value = weak(Kind.BOOL, False, node.span)
    if value.shape or value.free:
        # W311
        ctx.fail(
            value.span,
            "W311",
            "the value of the padding is one scalar",
            expected="a scalar, the same everywhere",
            found=value.described if value.shape else "it depends on an index",
        )
    kind, element = joined(ctx, [operand, value], node.span)
    whole = len(operand.shape) - len(low)
    low, high = [size(0)] * whole + low, [size(0)] * whole + high
    shape = tuple(b + n + a for b, n, a in zip(low, operand.shape, high, strict=True))
    for extent in shape:
        check_extent(ctx, extent, node.span)

    def produce(own: Element, name: str, place: Span) -> typed.Value:
        source = materialise(ctx, operand, own)
        border = scalar(ctx, value, (), own)
        return padded(ctx, source, operand.shape, low, shape, border, name, place)

    return _statement(operand, kind, element, shape, node.span, produce)


def _amounts(ctx: Context, node: ast.Expression, operand: Operand) -> list[Size]:
    """W313: elements before or after the last dimensions, or one integer for all of them."""
    if not operand.shape:
        # W311
        ctx.fail(
            operand.span,
            "W311",
            "a scalar has no border to pad",
            expected="a tensor",
            found=operand.described,
        )
    several = isinstance(node, ast.List)
    written = node.elements if isinstance(node, ast.List) else (node,)
    rank = len(operand.shape)
    if not 1 <= len(written) <= rank:
        # W313
        ctx.fail(
            node.span,
            "W313",
            "there are not so many dimensions to pad",
            expected=f"1 to {rank} amounts, for the last dimensions of {shape_text(operand.shape)}",
            found=str(len(written)),
        )
    for part in written:
        if isinstance(part, ast.List):
            # W313
            ctx.fail(
                part.span,
                "W313",
                "an amount is one integer a dimension",
                expected="pad(x, before, after), each an integer or a list",
                found=part.span.text[:40],
                help="those behind are a list of their own: pad(x, [1, 1], [2, 2])",
            )
    amounts = [read_size(ctx, part) for part in written]
    for part, amount in zip(written, amounts, strict=True):
        if negative(amount):
            # W313
            ctx.fail(
                part.span,
                "W313",
                "a tensor is padded by 0 elements or more",
                found=amount.shown,
                help="a part of a tensor is a slice: x[1:n-1]",
            )
    return amounts if several else amounts * rank


def padded(
    ctx: Context,
    source: typed.Value,
    extents: Sequence[Size],
    low: Sequence[Size],
    shape: tuple[Size, ...],
    border: typed.Scalar,
    name: str,
    span: Span,
) -> typed.Value:
    """`source` from `low` on within `shape`, around it `border`."""
    if ctx.generic:
        return ctx.value(name, source.type.element, shape, span)
    ends = [b + n for b, n in zip(low, extents, strict=True)]

    def box(ranges: Sequence[tuple[Size, Size]], inside: bool) -> _Box:
        loops = tuple(
            _variable(ctx, f"i{axis}", first, last, span)
            for axis, (first, last) in enumerate(ranges)
        )
        indices = tuple(variable_index(v) for v in loops)
        if not inside:
            return _Box(loops, indices, border)
        read = tuple((i + constant_index(-b)).typed() for i, b in zip(indices, low, strict=True))
        return _Box(loops, indices, typed.Read(source, read, span))

    boxes: list[_Box] = []
    inner = list(zip(low, ends, strict=True))
    whole = [(size(0), extent) for extent in shape]
    # The border of an axis: within the borders of the axes before it, across all axes after it.
    for axis, (first, last) in enumerate(inner):
        for ends_of in ((size(0), first), (last, shape[axis])):
            if ends_of[0].concrete < ends_of[1].concrete:
                boxes.append(box([*inner[:axis], ends_of, *whole[axis + 1 :]], inside=False))
    boxes.append(box(inner, inside=True))
    return _assembled(ctx, boxes, source.type.element, name, shape, span)


# ---------------------------------------------------------------------------------------- tiles


def _tiles(ctx: Context, node: ast.Call, operand: Operand) -> Operand:
    """`tiles(x, size=[6, 6], step=size, cover=extent-(size-step))`. W314."""
    given = keyword(node, "size")
    if given is None:
        # W314
        ctx.fail(node.span, "W314", "tiles needs size=", help="such as tiles(x, size=[6, 6])")
    tile, spans = _list(ctx, given, "size", None)
    count, rank = len(tile), len(operand.shape)
    if not 1 <= count <= rank:
        ctx.fail(
            given.span,
            "W314",
            "there are not so many dimensions to tile",
            expected=f"1 to {rank} sizes, for the last dimensions of {operand.described}"
            if rank
            else "a tensor",
            found=str(count),
        )
    extents = operand.shape[rank - count :]
    step, cover = tile, None
    if (written := keyword(node, "step")) is not None:
        step, spans = _list(ctx, written, "step", count)
        for own, full, place in zip(step, tile, spans, strict=True):
            if negative(full - own):
                ctx.fail(
                    place,
                    "W314",
                    "tiles are at most their size apart: what lies between them would be lost",
                    expected=f"a step of 1 to {full.shown}",
                    found=own.shown,
                )
    overlaps = [full - own for full, own in zip(tile, step, strict=True)]
    if (written := keyword(node, "cover")) is not None:
        cover, spans = _list(ctx, written, "cover", count)
    else:
        spans = [node.span] * count
        cover = [n - o for n, o in zip(extents, overlaps, strict=True)]
    for own, extent, overlap, place in zip(cover, extents, overlaps, spans, strict=True):
        if negative(own - size(1)):
            ctx.fail(
                place,
                "W314",
                "the tensor is no larger than the overlap of its tiles",
                expected=f"an extent of at least {(overlap + size(1)).shown}",
                found=extent.shown,
                help="pad the tensor first, or give cover=",
            )
        if negative(extent - own):
            ctx.fail(
                place,
                "W314",
                "tiles cover more than the tensor has",
                expected=f"a cover of 1 to {extent.shown}",
                found=own.shown,
                help="pad the tensor first",
            )
    counts = [
        own if by.constant == 1 else (own + by - size(1)).floordiv(by)
        for own, by in zip(cover, step, strict=True)
    ]
    before = operand.shape[: rank - count]
    shape = (*before, *counts, *tile)

    def produce(element: Element, name: str, place: Span) -> typed.Value:
        source = materialise(ctx, operand, element)
        if ctx.generic:
            return ctx.value(name, element, shape, place)
        needed = [(n - size(1)) * by + full for n, by, full in zip(counts, step, tile, strict=True)]
        if any(n.concrete > e.concrete for n, e in zip(needed, extents, strict=True)):
            reached = [
                n if n.concrete > e.concrete else e for n, e in zip(needed, extents, strict=True)
            ]
            zero = scalar(ctx, _zero(operand), (), element)
            low = [size(0)] * rank
            within = (*before, *reached)
            source = padded(ctx, source, operand.shape, low, within, zero, "", node.span)
        loops = tuple(
            _variable(ctx, f"i{axis}", size(0), extent, node.span)
            for axis, extent in enumerate(shape)
        )
        indices = tuple(variable_index(v) for v in loops)
        first, tile_at, inside = (
            indices[: len(before)],
            indices[len(before) : len(before) + count],
            indices[len(before) + count :],
        )
        places = [a.scaled(by) + i for a, by, i in zip(tile_at, step, inside, strict=True)]
        read = typed.Read(source, tuple(i.typed() for i in (*first, *places)), node.span)
        return _assembled(ctx, [_Box(loops, indices, read)], element, name, shape, place)

    return _statement(operand, operand.kind, operand.element, shape, node.span, produce)


def _zero(operand: Operand) -> Operand:
    if operand.kind is Kind.BOOL:
        return weak(Kind.BOOL, False, operand.span)
    return weak(Kind.INT, 0, operand.span)


def _list(
    ctx: Context, node: ast.Expression, what: str, count: int | None
) -> tuple[list[Size], list[Span]]:
    if not isinstance(node, ast.List):
        # W613
        ctx.fail(node.span, "W613", f"{what}= is a list", expected="such as [6, 6]")
    if count is not None and len(node.elements) != count:
        # W314
        ctx.fail(
            node.span,
            "W314",
            f"{what}= is for other dimensions than the rest",
            expected=f"{count} sizes",
            found=str(len(node.elements)),
        )
    return [_positive(ctx, e) for e in node.elements], [e.span for e in node.elements]


def _positive(ctx: Context, node: ast.Expression) -> Size:
    """W304, also where sizes are not known."""
    found = read_extent(ctx, node)
    if negative(found - size(1)):
        # W304
        ctx.fail(
            node.span, "W304", "an extent is at least 1", expected="1 to 2^48", found=found.shown
        )
    return found


# --------------------------------------------------------------------------------------- untile


def _untile(ctx: Context, node: ast.Call, operand: Operand) -> Operand:
    """`untile(p, step=[4, 4], crop=[H, W])`: tiles put side by side. W315."""
    step_node, crop_node = keyword(node, "step"), keyword(node, "crop")
    known = step_node if step_node is not None else crop_node
    if known is None:
        # W315
        ctx.fail(
            node.span,
            "W315",
            "how many dimensions are tiled?",
            expected="step= or crop=, an entry a dimension",
            help="untile(p, step=[4, 4])",
        )
    what = "step" if step_node is not None else "crop"
    read, spans = _list(ctx, known, what, None)
    count, rank = len(read), len(operand.shape)
    if not 1 <= count <= rank // 2:
        ctx.fail(
            operand.span,
            "W315",
            "this tensor has not so many dimensions of tiles",
            expected=f"at least {max(2 * count, 2)} dimensions: tiles, then extents",
            found=operand.described,
        )
    before, counts, tile = (
        operand.shape[: rank - 2 * count],
        operand.shape[rank - 2 * count : rank - count],
        operand.shape[rank - count :],
    )
    if step_node is not None:
        for own, extent, place in zip(read, tile, spans, strict=True):
            if equal(own, extent) is False:
                ctx.fail(
                    place,
                    "W315",
                    "tiles are put together without gaps or overlaps",
                    expected=f"the extent of the tiles, {extent.shown}",
                    found=own.shown,
                )
    full = tuple(n * s for n, s in zip(counts, tile, strict=True))
    crop = list(full)
    if crop_node is not None:
        crop, spans = _list(ctx, crop_node, "crop", count)
        for own, most, place in zip(crop, full, spans, strict=True):
            if negative(most - own):
                ctx.fail(
                    place,
                    "W315",
                    "the tiles have not so many elements",
                    expected=f"a crop of 1 to {most.shown}",
                    found=own.shown,
                )
    shape = (*before, *crop)

    def produce(element: Element, name: str, place: Span) -> typed.Value:
        source = materialise(ctx, operand, element)
        if ctx.generic:
            return ctx.value(name, element, shape, place)
        boxes = []
        halves = [_halves(own, extent) for own, extent in zip(crop, tile, strict=True)]
        for ranges in product(*halves):
            boxes.append(_untile_box(ctx, source, before, ranges, tile, node.span))
        return _assembled(ctx, boxes, element, name, shape, place)

    return _statement(operand, operand.kind, operand.element, shape, node.span, produce)


# First and last tile, and how much of each.
_Range = tuple[int, int, int]


def _halves(crop: Size, tile: Size) -> list[_Range]:
    """The whole tiles of a dimension, and what is left of the last one."""
    count, rest = divmod(crop.concrete, tile.concrete)
    whole = [(0, count, tile.concrete)] if count else []
    return whole + ([(count, count + 1, rest)] if rest else [])


def _untile_box(
    ctx: Context,
    source: typed.Value,
    before: Sequence[Size],
    ranges: Sequence[_Range],
    tile: Sequence[Size],
    span: Span,
) -> _Box:
    outer = [_variable(ctx, f"i{axis}", size(0), n, span) for axis, n in enumerate(before)]
    rank = len(before)
    at = [
        _variable(ctx, f"i{rank + axis}", size(first), size(last), span)
        for axis, (first, last, _) in enumerate(ranges)
    ]
    inside = [
        _variable(ctx, f"i{rank + len(ranges) + axis}", size(0), size(part), span)
        for axis, (_, _, part) in enumerate(ranges)
    ]
    indices = [variable_index(v) for v in (*outer, *at, *inside)]
    read = typed.Read(source, tuple(i.typed() for i in indices), span)
    places: list[AffineIndex] = [
        variable_index(a).scaled(extent) + variable_index(i)
        for a, extent, i in zip(at, tile, inside, strict=True)
    ]
    # Row by row of the result.
    loops = [*outer, *(v for pair in zip(at, inside, strict=True) for v in pair)]
    return _Box(tuple(loops), (*indices[:rank], *places), read)
