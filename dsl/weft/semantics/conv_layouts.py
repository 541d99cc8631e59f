# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The orders in which a convolution's images and results are kept: `layout=`, `out_layout=`.

Images have one, two or three dimensions of pixels. For each there are three layouts: channels
before pixels (planes), channels behind them, and the sixteen channels of a block behind them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from weft.diagnostics import close_match
from weft.semantics.arguments import keyword
from weft.semantics.context import Context
from weft.semantics.operand import Operand
from weft.semantics.sizes import Size, equal, shape_text, size
from weft.syntax import ast

# Channels side by side in a block.
BLOCK = 16
# The letters of a pixel's indices, the innermost last.
PIXEL = "dhw"
MOST_DIMS = len(PIXEL)
WINDOW = "QRS"
COUNTED = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


@dataclass(frozen=True)
class Layout:
    """One of them, for images with `dims` dimensions of pixels."""

    order: Literal["planes", "last", "blocks"]
    dims: int

    @property
    def name(self) -> str:
        pixel = PIXEL[-self.dims :]
        return {
            "planes": f"nc{pixel}",
            "last": f"n{pixel}c",
            "blocks": f"nc{pixel}{BLOCK}c",
        }[self.order]

    @property
    def shown(self) -> str:
        """The dimensions by name."""
        pixel = ", ".join(PIXEL[-self.dims :].upper())
        return {
            "planes": f"[N, C, {pixel}]",
            "last": f"[N, {pixel}, C]",
            "blocks": f"[N, C//{BLOCK}, {pixel}, {BLOCK}]",
        }[self.order]

    @property
    def rank(self) -> int:
        return self.dims + (3 if self.order == "blocks" else 2)

    @property
    def first_pixel(self) -> int:
        """The axis of the first of a pixel's dimensions."""
        return 1 if self.order == "last" else 2


def of_dims(dims: int) -> tuple[Layout, Layout, Layout]:
    return Layout("planes", dims), Layout("last", dims), Layout("blocks", dims)


LAYOUTS = {one.name: one for dims in (2, 1, 3) for one in of_dims(dims)}


def names(dims: int) -> str:
    planes, last, blocks = (one.name for one in of_dims(dims))
    return f"{planes}, {last} or {blocks}"


def filters_shown(dims: int, channels: str = "C//groups") -> str:
    letters = WINDOW[:dims] if dims == MOST_DIMS else WINDOW[1 : dims + 1]
    return f"[K, {channels}, {', '.join(letters)}]"


def read_layouts(ctx: Context, node: ast.Call, ranks: tuple[int, int]) -> tuple[Layout, Layout]:
    """W812: of images and of results; results are as images where nothing else is said.

    `ranks` of images and of filters tell how many dimensions pixels have where nothing is said.
    """
    given = _named(ctx, node, "layout", None)
    if given is None:
        of_images, of_filters = (rank - 2 for rank in ranks)
        dims = 2 if 2 in (of_images, of_filters) else of_filters
        out = _named(ctx, node, "out_layout", None)
        dims = out.dims if out else dims if 0 < dims <= MOST_DIMS else 2
        given = Layout("planes", dims)
    return given, _named(ctx, node, "out_layout", given.dims) or given


def _named(ctx: Context, node: ast.Call, name: str, dims: int | None) -> Layout | None:
    written = keyword(node, name)
    if written is None:
        return None
    word = written.name if isinstance(written, ast.Name) else ""
    found = LAYOUTS.get(word)
    if found is None:
        # W812
        ctx.fail(
            written.span,
            "W812",
            "there is no such layout",
            expected=names(dims or 2),
            found=written.span.text[:40],
            help=close_match(word, tuple(LAYOUTS)),
        )
    if dims is not None and found.dims != dims:
        # W812
        ctx.fail(
            written.span,
            "W812",
            f"{word} is a layout of images with other dimensions",
            expected=names(dims),
            found=f"{word}: {found.shown}",
        )
    return found


def extents(ctx: Context, x: Operand, layout: Layout) -> tuple[Size, ...]:
    """W813: images, channels and pixels, of images whose number of dimensions is right."""
    first = layout.first_pixel
    pixel = x.shape[first : first + layout.dims]
    if layout.order == "planes":
        return x.shape
    if layout.order == "last":
        return (x.shape[0], x.shape[-1], *pixel)
    if equal(x.shape[-1], size(BLOCK)) is False:
        # W813
        ctx.fail(
            x.span,
            "W813",
            f"{layout.name} has {BLOCK} channels side by side",
            expected=f"{layout.shown}, the last extent {BLOCK}",
            found=shape_text(x.shape),
            help=f"for other numbers of channels: layout={Layout('last', layout.dims).name}",
        )
    return (x.shape[0], x.shape[1] * size(BLOCK), *pixel)


def shape_in(
    ctx: Context, node: ast.Call, layout: Layout, images: Size, filters: Size, pixels: list[Size]
) -> tuple[Size, ...]:
    """W813: the shape of results, whose filters fill blocks of channels."""
    if layout.order == "planes":
        return (images, filters, *pixels)
    if layout.order == "last":
        return (images, *pixels, filters)
    if filters.value is not None and filters.value % BLOCK:
        # W813
        ctx.fail(
            node.arguments[1].span,
            "W813",
            f"results in {layout.name} have channels in blocks of {BLOCK}",
            expected=f"a multiple of {BLOCK} filters",
            found=filters.shown,
            help=f"for other numbers of filters: out_layout={Layout('last', layout.dims).name}",
        )
    return (images, filters.floordiv(size(BLOCK)), *pixels, size(BLOCK))
