# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The names in the indices of what is assigned: what they may be, and what they run over."""

from __future__ import annotations

from typing import NoReturn

from weft.diagnostics import Span, close_match
from weft.semantics import cover
from weft.semantics.context import (
    ConstantTable,
    Context,
    Meaning,
    Poison,
    Poisoned,
    ScalarLocal,
    Tensor,
    WeakTensor,
)
from weft.semantics.drafts import Pending
from weft.semantics.indices import AffineIndex
from weft.semantics.sizes import Size, equal
from weft.semantics.sizing import depends_on_data, read_index
from weft.semantics.types import Element
from weft.syntax import ast


def computed_index(
    ctx: Context, item: ast.Expression, target: ast.Target, right: ast.Expression
) -> AffineIndex:
    """W101, W103, W404: `2*i + 1` on the left; its names need loops that give their ranges."""
    for node in ast.walk(item):
        if isinstance(node, ast.Subscript):
            _scattered(ctx, node.span)
        if not isinstance(node, ast.Name):
            continue
        meaning = ctx.scope.find(node.name)
        if meaning is None:
            _no_range(ctx, node, item, target, right)
        if isinstance(meaning, (Tensor, WeakTensor, ConstantTable, ScalarLocal, Pending)):
            _not_an_index(ctx, node, meaning)
    return read_index(ctx, item)


def _no_range(
    ctx: Context, name: ast.Name, item: ast.Expression, target: ast.Target, right: ast.Expression
) -> NoReturn:
    """W101: a name that is an index on the right as well needs a loop; else it is misspelt."""
    if not any(isinstance(n, ast.Name) and n.name == name.name for n in ast.walk(right)):
        near = close_match(name.name, ctx.scope.all_names())
        ctx.fail(
            name.span,
            "W101",
            f"unknown name '{name.name}'",
            expected="a plain index, or names whose ranges are known",
            found=f"'{item.span.text[:40]}'",
            help=near or f"give it a range by a loop: for {name.name} in 0:n:",
        )
    ranges = ", ".join(_missing_ranges(ctx, target, right))
    # W101
    ctx.fail(
        name.span,
        "W101",
        f"unknown name '{name.name}': its range is not known",
        expected="an index that stands alone, or names that have their ranges from a loop",
        found=f"'{item.span.text[:40]}'",
        help=f"a loop around the assignment: for {ranges}:",
    )


def _missing_ranges(ctx: Context, target: ast.Target, right: ast.Expression) -> list[str]:
    """`h in 0:H` of each unknown name of the computed indices; 0:n where nothing says more."""
    ranges: dict[str, str] = {}
    for item in target.items or ():
        if isinstance(item, (ast.Name, ast.Slice, ast.NamedRange)):
            continue
        for node in ast.walk(item):
            if isinstance(node, ast.Name) and ctx.scope.find(node.name) is None:
                found, _ = _plain_uses(ctx, node, right)
                upper = found[0][0] if found else "n"
                ranges.setdefault(node.name, f"{node.name} in 0:{upper}")
    return list(ranges.values())


def _not_an_index(ctx: Context, name: ast.Name, meaning: Meaning) -> NoReturn:
    """W103, W404: an index has a name that no value has, unless it were to be scattered to."""
    element = meaning.value.type.element if isinstance(meaning, Tensor) else None
    if isinstance(meaning, ScalarLocal):
        element = meaning.local.element
    if element in (Element.I32, Element.I64):
        _scattered(ctx, name.span, f"an index has another name than '{name.name}'; ")
    kind = "an input" if isinstance(meaning, Tensor) and meaning.is_input else "a value"
    if isinstance(meaning, Pending) and meaning.is_output:
        kind = "an output"
    where = ctx.scope.where(name.name)
    place = f" at line {where.line}" if where else ""
    # W103
    ctx.fail(
        name.span,
        "W103",
        f"'{name.name}' is the name of {kind}{place}, and no index",
        expected="a name that no value has",
        help="choose another name for the index",
    )


def _scattered(ctx: Context, span: Span, before: str = "") -> NoReturn:
    way_out = f"{before}writing at computed places is scatter(base, idx, v)"
    depends_on_data(ctx, span, way_out)


def implied_extent(
    ctx: Context, name: ast.Name, declared: Size | None, right: ast.Expression
) -> Size:
    """W406, W407: the extent of the dimensions that a name of index notation runs over."""
    found, mentioned = _plain_uses(ctx, name, right)
    if not found:
        upper = f"0:{declared}" if declared is not None else "0:n"
        ctx.fail(
            name.span,
            "W406",
            f"the range of '{name.name}' is not known",
            expected=f"'{name.name}' as a plain index on the right",
            found="it stands within other indices only" if mentioned else "it is not there",
            help=f"write its range: {name.name} in {upper}",
        )
    first = found[0][0]
    if declared is not None:
        found.append((declared, name.span))
    for extent, span in found:
        if equal(first, extent) is False:
            ctx.fail(
                span,
                "W407",
                f"'{name.name}' runs over dimensions of different extents",
                expected=first.shown,
                found=extent.shown,
                help=f"write its range: {name.name} in "
                + (f"0:{declared}" if declared is not None else "lower:upper"),
            )
    return declared if declared is not None else first


def _plain_uses(
    ctx: Context, name: ast.Name, right: ast.Expression
) -> tuple[list[tuple[Size, Span]], bool]:
    """The extents of the dimensions that a name indexes by itself; whether it is there at all."""
    found: list[tuple[Size, Span]] = []
    mentioned = False
    for node in ast.walk(right):
        if isinstance(node, ast.Name) and node.name == name.name:
            mentioned = True
        if isinstance(node, ast.Subscript) and isinstance(node.base, ast.Name):
            extents = _shape_of(ctx, node.base)
            for item, extent in zip(node.items, extents, strict=False):
                if isinstance(item, ast.Name) and item.name == name.name:
                    found.append((extent, item.span))
    return found, mentioned


def _shape_of(ctx: Context, base: ast.Name) -> tuple[Size, ...]:
    meaning = ctx.scope.find(base.name)
    if isinstance(meaning, Pending) and not meaning.in_nest:
        meaning = cover.complete(ctx, meaning, base.span)
    if isinstance(meaning, Poison):
        raise Poisoned
    if isinstance(meaning, WeakTensor):
        return tuple(meaning.operand.shape)
    return meaning.shape if isinstance(meaning, (Tensor, ConstantTable)) else ()
