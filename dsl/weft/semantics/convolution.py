# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`conv(x, g, pad=0, stride=1, groups=1, algorithm=auto, max_error=, layout=nchw, out_layout=)`,
and the same for images of one and of three dimensions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import sqrt

import numpy as np

from weft.diagnostics import Span, close_match
from weft.semantics import consts, conv_layouts, typed, winograd_points, winograd_strides
from weft.semantics.arguments import check_arguments, keyword
from weft.semantics.arithmetic import joined
from weft.semantics.context import Context
from weft.semantics.conv_layouts import COUNTED, Layout
from weft.semantics.operand import UNKNOWN, Operand, materialise
from weft.semantics.sizes import Size, equal, negative, shape_text, size
from weft.semantics.sizing import check_extent, read_integer, read_size
from weft.semantics.types import Element, Kind
from weft.semantics.winograd import check_sizes
from weft.syntax import ast

Reader = Callable[[Context, ast.Expression], Operand]

NAMES = {"pad", "stride", "groups", "algorithm", "max_error", "layout", "out_layout"}
ALGORITHMS = ("auto", "direct", "winograd")
# What `auto` chooses among, besides the direct sum.
CANDIDATES = (2, 3, 4, 5, 6)
CANDIDATES_WITH_STRIDE = (2, 3, 4, 5)
# Error that `auto` may make where max_error is not given, in units of the type's epsilon.
DEFAULT_ERROR = 1024


def read_call(ctx: Context, node: ast.Call, read: Reader) -> Operand:
    check_arguments(ctx, node, 2, 2, NAMES)
    x, g = (read(ctx, a) for a in node.arguments)
    ranks = len(x.shape), len(g.shape)
    layout, out_layout = conv_layouts.read_layouts(ctx, node, ranks)
    element = _element(ctx, x, g, layout, node.span)
    image = conv_layouts.extents(ctx, x, layout)
    pad = _each(ctx, node, "pad", 0, layout.dims)
    stride = _each(ctx, node, "stride", 1, layout.dims)
    groups = _groups(ctx, node, image[1], x, g)
    pixels = _pixels(ctx, node, image, g, pad, stride)
    shape = conv_layouts.shape_in(ctx, node, out_layout, image[0], g.shape[0], pixels)
    error = _max_error(ctx, node, read)
    algorithm, sizes = _algorithm(ctx, node, g, stride)

    def produce(_element: Element, name: str, place: Span) -> typed.Value:
        images, filters = materialise(ctx, x, element), materialise(ctx, g, element)
        target = ctx.value(name, element, shape, place)
        chosen: tuple[typed.ConvTransform, ...] = ()
        if not ctx.generic:
            window = [extent.concrete for extent in g.shape[2:]]
            r, step = max(window), _common_step(g.shape[2:], stride) or 1
            chosen = tuple(_transform(element, m, r, step) for m in sizes)
            if algorithm == "auto":
                bound = (window.count(r), g.shape[1].concrete, error)
                chosen = _allowed(element, sizes, r, step, *bound)
        made = typed.Conv(
            target,
            images,
            filters,
            tuple(border.concrete for border in pad),
            tuple(step.concrete for step in stride),
            groups.concrete,
            algorithm,
            chosen,
            layout.name,
            out_layout.name,
            node.span,
        )
        ctx.block.append(made)
        return target

    return Operand(element.kind, element, shape, node.span, None, produce, free=x.free | g.free)


def _element(ctx: Context, x: Operand, g: Operand, layout: Layout, span: Span) -> Element:
    """W806, W203: as many dimensions as the layout has, of reals or complex numbers."""
    for operand, what, shown, rank in (
        (x, "images", layout.shown, layout.rank),
        (g, "filters", conv_layouts.filters_shown(layout.dims, "C"), layout.dims + 2),
    ):
        if len(operand.shape) != rank:
            pixel = ", ".join(conv_layouts.PIXEL[-layout.dims :])
            # W806
            ctx.fail(
                operand.span,
                "W806",
                f"conv takes {what} {shown}",
                expected=f"{COUNTED[rank]} dimensions",
                found=operand.described,
                help=f"reshape it: reshape(x, [1, c, {pixel}])"
                if operand.shape and layout.order == "planes" and len(operand.shape) < rank
                else "",
            )
        if operand.kind in (Kind.INT, Kind.BOOL):
            # W203
            ctx.fail(
                operand.span,
                "W203",
                f"conv is not defined for {operand.element or operand.described}",
                expected="f32, f64, c64 or c128",
                help="convert it: f32(...)",
            )
    _, element = joined(ctx, [x, g], span)
    return element if element is not None else Element.F64


# Words of other libraries for a border, of filters of R elements along a dimension.
_BORDERS = {
    "same": "the image keeps its extents with (R - 1) // 2 elements: pad=1 for filters of 3",
    "valid": "none are added where pad= is left away",
    "full": "every place where they meet needs R - 1 elements: pad=2 for filters of 3",
}


def _each(ctx: Context, node: ast.Call, name: str, default: int, dims: int) -> tuple[Size, ...]:
    """W807: one integer for all dimensions of a pixel, or one for each."""
    given = keyword(node, name)
    if given is None:
        return (size(default),) * dims
    if isinstance(given, ast.Name) and given.name in ("same", "valid", "full"):
        # W807
        ctx.fail(
            given.span,
            "W807",
            f"{name}= is told in elements",
            expected="whole numbers",
            found=given.name,
            help=_BORDERS[given.name],
        )
    written = given.elements if isinstance(given, ast.List) else (given,) * dims
    if len(written) != dims:
        each = ["", " for rows and for columns", " for planes, rows and columns"][dims - 1]
        # W807
        ctx.fail(
            given.span,
            "W807",
            f"{name}= is one integer" + (f", or {COUNTED[dims]}:{each}" if dims > 1 else ""),
            expected=f"{name}=1 or {name}={[1, 2, 1][:dims]}",
            found=f"{len(written)} of them",
        )
    values = tuple(read_size(ctx, part) for part in written)
    for part, value in zip(written, values, strict=True):
        if negative(value - size(default)):
            # W807
            ctx.fail(
                part.span,
                "W807",
                f"{name} is at least {default}",
                expected=f"{default} or more",
                found=value.shown,
            )
    return values


def _groups(ctx: Context, node: ast.Call, channels: Size, x: Operand, g: Operand) -> Size:
    """W808: groups divide channels and filters; a filter sees the channels of its group."""
    given = keyword(node, "groups")
    groups = size(1) if given is None else read_size(ctx, given)
    place = node.span if given is None else given.span
    filters, share = g.shape[:2]
    if negative(groups - size(1)):
        ctx.fail(
            place, "W808", "there is at least one group", expected="1 or more", found=groups.shown
        )
    for extent, what in ((channels, "channels"), (filters, "filters")):
        if groups.value is not None and extent.value is not None and extent.value % groups.value:
            # W808
            ctx.fail(
                place,
                "W808",
                f"groups do not divide the {what}",
                expected=f"a divisor of {extent.shown}",
                found=groups.shown,
            )
    if equal(share * groups, channels) is False:
        wanted = channels if groups.constant == 1 else channels.floordiv(groups)
        grouped = "" if groups.constant == 1 else f" in {groups.shown} groups"
        # W808
        ctx.fail(
            node.arguments[1].span,
            "W808",
            "the filters do not have the channels of the images",
            expected=f"{wanted.shown} channels, as {shape_text(x.shape)} has{grouped}",
            found=f"{share.shown} in {shape_text(g.shape)}",
            help="give groups= if each filter sees a part of the channels" if given is None else "",
        )
    return groups


def _pixels(
    ctx: Context,
    node: ast.Call,
    image: tuple[Size, ...],
    g: Operand,
    pad: tuple[Size, ...],
    stride: tuple[Size, ...],
) -> list[Size]:
    """W809: the filter lies within the padded image; the extents of the result."""
    pixels = []
    for axis, (border, step) in enumerate(zip(pad, stride, strict=True), 2):
        full, window = image[axis] + size(2) * border, g.shape[axis]
        room = full - window
        if negative(room):
            what = ("columns", "rows", "planes")[len(image) - 1 - axis]
            # W809
            ctx.fail(
                node.arguments[1].span,
                "W809",
                "the filter is larger than the image",
                expected=f"at most {full.shown} {what}, the image with its padding",
                found=window.shown,
                help="pad the image with pad=",
            )
        extent = (room if step.constant == 1 else room.floordiv(step)) + size(1)
        check_extent(ctx, extent, node.span)
        pixels.append(extent)
    return pixels


# ------------------------------------------------------------------------------------ algorithms


def _algorithm(
    ctx: Context, node: ast.Call, g: Operand, stride: tuple[Size, ...]
) -> tuple[str, tuple[int, ...]]:
    """The algorithm, and the m of the transforms that it may use."""
    given = keyword(node, "algorithm")
    window = g.shape[2:]
    if given is None or (isinstance(given, ast.Name) and given.name in ("auto", "direct")):
        name = "auto" if given is None or not isinstance(given, ast.Name) else given.name
        length, step = _one_length(window), _common_step(window, stride)
        fits = length is not None and step is not None and (step == 1 or _takes_steps(length, step))
        candidates = CANDIDATES if step == 1 else CANDIDATES_WITH_STRIDE
        return name, candidates if name == "auto" and fits else ()
    if not isinstance(given, ast.Call) or given.function.name != "winograd":
        named = given.function if isinstance(given, ast.Call) else given
        word = named.name if isinstance(named, ast.Name) else ""
        # W613
        ctx.fail(
            given.span,
            "W613",
            "there is no such algorithm",
            expected="auto, direct or winograd(m)",
            found=given.span.text[:40],
            help="give the size of its tiles: winograd(4)"
            if word == "winograd"
            else close_match(word, ALGORITHMS),
        )
    check_arguments(ctx, given, 0 if given.keywords else 1, 0 if given.keywords else 1, {"m"})
    written = given.keywords[0].value if given.keywords else given.arguments[0]
    known = [extent.value for extent in window if extent.value is not None]
    if len(set(known) - {1}) > 1:
        # W810
        ctx.fail(
            given.span,
            "W810",
            "Winograd's algorithm here is for square filters",
            expected="as many elements along each dimension, or one",
            found=f"filters of {' by '.join(extent.shown for extent in window)}",
            help="algorithm=direct",
        )
    m = read_integer(ctx, written, "m")
    length, step = _one_length(window), _common_step(window, stride)
    known_steps = all(one.value is not None for one in stride)
    if length is not None and known_steps and (step is None or not _takes_steps(length, step)):
        # W810
        ctx.fail(
            given.span,
            "W810",
            "Winograd's algorithm is for stride 1, and for 2 where windows overlap",
            expected="one stride along all dimensions in which filters have more than one element, "
            "below their number, and 1 along the others",
            found=f"stride {', '.join(one.shown for one in stride)}",
            help="algorithm=direct, or auto",
        )
    if m is not None and length is not None and step is not None:
        check_sizes(ctx, size(m), size(length), given.span, step)
    return "winograd", () if m is None else (m,)


def _common_step(window: tuple[Size, ...], stride: tuple[Size, ...]) -> int | None:
    """The stride along dimensions in which filters have more than one element; others have 1."""
    steps, length = set(), _one_length(window)
    for extent, step in zip(window, stride, strict=True):
        if extent.value == length:
            steps.add(step.value)
        elif step.value != 1:
            return None
    return steps.pop() if len(steps) == 1 else None


def _takes_steps(length: int, step: int) -> bool:
    return step == 1 or step <= min(winograd_strides.LARGEST_STRIDE, length - 1)


def _one_length(window: tuple[Size, ...]) -> int | None:
    """r of filters with r elements along each dimension, or one; None where it is not known."""
    lengths = {extent.value for extent in window}
    longer = lengths - {1} or {1}
    if len(longer) > 1:
        return None
    return longer.pop()


def _max_error(ctx: Context, node: ast.Call, read: Reader) -> float | None:
    """W811: a positive number, for `auto`."""
    given = keyword(node, "max_error")
    if given is None:
        return None
    algorithm = keyword(node, "algorithm")
    if algorithm is not None and not (isinstance(algorithm, ast.Name) and algorithm.name == "auto"):
        # W811
        ctx.fail(
            given.span,
            "W811",
            "max_error= chooses an algorithm, and one is named",
            expected="algorithm=auto",
            found=f"algorithm={algorithm.span.text[:40]}",
        )
    operand = read(ctx, given)
    value = operand.constant
    if value is UNKNOWN:
        return None
    real = isinstance(value, (int, Fraction, np.floating)) and not isinstance(value, bool)
    if not real or not value > 0:
        # W811
        ctx.fail(
            given.span,
            "W811",
            "max_error is a positive number",
            expected="the largest error allowed, relative to the largest result: such as 1e-5",
            found=given.span.text[:40],
        )
    return float(consts.extended(value))


def estimated_error(
    element: Element, m: int, r: int, dims: int, channels: int, step: int = 1
) -> float:
    """Largest error of Winograd's F(m, r) along so many dimensions, relative to the largest result.

    About, for data without structure. The rounding of transformed data and filters is amplified
    once in each dimension; that of the sum over the channels grows with its root. What is measured
    stays below: see docs/decisions/0007-error-of-winograd.md.
    """
    unit = float(np.finfo(element.real.numpy).eps) / 2
    amplified = winograd_points.amplification(winograd_strides.family(m, r, step)) ** dims
    return unit * amplified * (3 + sqrt(channels))


def _allowed(
    element: Element,
    sizes: tuple[int, ...],
    r: int,
    step: int,
    dims: int,
    channels: int,
    error: float | None,
) -> tuple[typed.ConvTransform, ...]:
    limit = error if error is not None else DEFAULT_ERROR * np.finfo(element.real.numpy).eps
    return tuple(
        _transform(element, m, r, step)
        for m in sizes
        if 1 < r <= winograd_points.LARGEST - step * (m - 1)
        and estimated_error(element, m, r, dims, channels, step) <= limit
    )


def _transform(element: Element, m: int, r: int, step: int) -> typed.ConvTransform:
    made = winograd_strides.family(m, r, step)
    at, g, bt = (
        winograd_points.rounded(made.matrix(name), element.real) for name in ("AT", "G", "BT")
    )
    return typed.ConvTransform(m, r, at, g, bt)
