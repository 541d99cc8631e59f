# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The orders in which a convolution's images and results are kept: `layout=`, `out_layout=`."""

from __future__ import annotations

from weft.diagnostics import close_match
from weft.semantics.arguments import keyword
from weft.semantics.context import Context
from weft.semantics.operand import Operand
from weft.semantics.sizes import Size, equal, shape_text, size
from weft.syntax import ast

# The dimensions by name; `c` and `b` are those of channels in blocks.
DIMENSIONS = {
    "nchw": "[N, C, H, W]",
    "nhwc": "[N, H, W, C]",
    "nchw16c": "[N, C//16, H, W, 16]",
}
# Channels side by side in nchw16c.
BLOCK = 16


def read_layouts(ctx: Context, node: ast.Call) -> tuple[str, str]:
    """W812: of images and of results; results are as images where nothing else is said."""
    given = _named(ctx, node, "layout", "nchw")
    return given, _named(ctx, node, "out_layout", given)


def _named(ctx: Context, node: ast.Call, name: str, default: str) -> str:
    written = keyword(node, name)
    if written is None:
        return default
    word = written.name if isinstance(written, ast.Name) else ""
    if word not in DIMENSIONS:
        # W812
        ctx.fail(
            written.span,
            "W812",
            "there is no such layout",
            expected="nchw, nhwc or nchw16c",
            found=written.span.text[:40],
            help=close_match(word, tuple(DIMENSIONS)),
        )
    return word


def extents(ctx: Context, x: Operand, layout: str) -> tuple[Size, Size, Size, Size]:
    """W813: images, channels, rows and columns, of images whose number of dimensions is right."""
    if layout == "nchw":
        n, c, h, w = x.shape
    elif layout == "nhwc":
        n, h, w, c = x.shape
    else:
        n, blocks, h, w, within = x.shape
        if equal(within, size(BLOCK)) is False:
            # W813
            ctx.fail(
                x.span,
                "W813",
                f"nchw16c has {BLOCK} channels side by side",
                expected=f"{DIMENSIONS[layout]}, the last extent {BLOCK}",
                found=shape_text(x.shape),
                help="for other numbers of channels: layout=nhwc",
            )
        c = blocks * size(BLOCK)
    return n, c, h, w


def shape_in(
    ctx: Context, node: ast.Call, layout: str, images: Size, filters: Size, pixels: list[Size]
) -> tuple[Size, ...]:
    """W813: the shape of results, whose filters fill blocks of channels."""
    if layout == "nchw":
        return (images, filters, *pixels)
    if layout == "nhwc":
        return (images, *pixels, filters)
    if filters.value is not None and filters.value % BLOCK:
        # W813
        ctx.fail(
            node.arguments[1].span,
            "W813",
            f"results in nchw16c have channels in blocks of {BLOCK}",
            expected=f"a multiple of {BLOCK} filters",
            found=filters.shown,
            help="for other numbers of filters: out_layout=nhwc",
        )
    return (images, filters.floordiv(size(BLOCK)), *pixels, size(BLOCK))
