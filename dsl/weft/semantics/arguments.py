# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments of built-ins: how many, which names, axes and lists."""

from __future__ import annotations

from weft.diagnostics import close_match
from weft.semantics.context import Context
from weft.semantics.operand import Operand
from weft.semantics.sizing import read_integer
from weft.syntax import ast, foreign

# Where NumPy and C take more arguments.
_FEWER = {
    **{op: f"nest them: {op}(a, {op}(b, c))" for op in ("max", "min")},
    "transpose": "the order is one list: transpose(x, [1, 0])",
    "reshape": "the extents are one list: reshape(x, [n, m])",
    "sum": "name the axis: sum(x, axis=0)",
    "prod": "name the axis: prod(x, axis=0)",
    "roll": "name the axis: roll(x, 1, axis=0)",
    "dft": "name the axis: dft(x, axis=0)",
    "idft": "name the axis: idft(x, axis=0)",
}
# Where there is no axes=.
_SEVERAL_AXES = {
    "rfft": "rfft along the last axis, then dft(x, axis=) along the others",
    "irfft": "idft(x, axis=) along the others, then irfft along the last axis",
    "gather": "along one axis after the other: gather(gather(x, i), j, axis=1)",
}


def check_arguments(
    ctx: Context, node: ast.Call, least: int, most: int, names: set[str] | None = None
) -> None:
    """W601, W613, W108: number of arguments, and the named ones."""
    name = node.function.name
    given = len(node.arguments)
    if not least <= given <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        ctx.fail(
            node.span,
            "W601",
            f"'{name}' takes {wanted} argument{'s' if most > 1 else ''} without a name",
            expected=f"{name}(...) with {wanted}",
            found=str(given),
            help=_FEWER.get(name, "") if given > most else "",
        )
    seen: set[str] = set()
    for keyword in node.keywords:
        word = keyword.name.name
        if word not in (names or ()):
            ctx.fail(
                keyword.span,
                "W613",
                f"'{name}' has no argument '{word}'",
                expected=", ".join(sorted(names or ())) or "no named argument",
                help=foreign.ARGUMENTS.get(name, {}).get(word) or close_match(word, names or ()),
            )
        if word in seen:
            # W108
            ctx.fail(keyword.span, "W108", f"'{word}' is given twice", expected="each name once")
        seen.add(word)


def keyword(node: ast.Call, name: str) -> ast.Expression | None:
    return next((k.value for k in node.keywords if k.name.name == name), None)


def integers(ctx: Context, expression: ast.Expression, what: str) -> list[int | None]:
    """A list of known integers."""
    if not isinstance(expression, ast.List):
        ctx.fail(expression.span, "W613", f"{what} must be a list", expected="such as [0, 1]")
    return [read_integer(ctx, e, what) for e in expression.elements]


def read_axes(ctx: Context, node: ast.Call, operand: Operand) -> list[int] | None:
    """W307: `axis=` or `axes=`, as axes counted from 0; None where neither is given."""
    one, several = keyword(node, "axis"), keyword(node, "axes")
    if one is not None and several is not None:
        ctx.fail(several.span, "W613", "give axis= or axes=, not both")
    chosen = one if one is not None else several
    if chosen is None:
        return None
    if isinstance(one, ast.List):
        # W613
        ctx.fail(
            one.span,
            "W613",
            "axis= is one axis",
            expected="a constant, such as axis=0",
            found=one.span.text[:40],
            help=_SEVERAL_AXES.get(
                node.function.name, f"of several axes: axes={one.span.text[:40]}"
            ),
        )
    rank = len(operand.shape)
    axes = [read_integer(ctx, one, "an axis")] if one else integers(ctx, chosen, "axes")
    found: list[int] = []
    for axis in axes:
        if axis is None:
            ctx.fail(chosen.span, "W307", "an axis is a constant")
        if not -rank <= axis < rank:
            ctx.fail(
                chosen.span,
                "W307",
                f"there is no axis {axis}",
                expected=f"0 to {rank - 1}" if rank > 1 else ("0" if rank else "a tensor"),
                found=f"{axis}, and the tensor is {operand.described}",
            )
        if axis % rank in found:
            ctx.fail(chosen.span, "W307", f"axis {axis} is given twice", expected="different axes")
        found.append(axis % rank)
    if not found:
        ctx.fail(chosen.span, "W307", "there is no axis in the list", expected="at least one")
    return found
