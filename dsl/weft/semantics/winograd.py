# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`t = winograd(m=4, r=3)`, its matrices `t.BT`, and their products with tensors."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NoReturn

from weft.diagnostics import Span, close_match
from weft.semantics import typed, winograd_points
from weft.semantics.arguments import check_arguments, keyword
from weft.semantics.context import ConstantTable, Context, MatrixFamily, Poison, Poisoned
from weft.semantics.operand import UNKNOWN, MatrixOf, Operand, materialise
from weft.semantics.sizes import Size, size
from weft.semantics.sizing import read_size
from weft.semantics.types import Element, Kind
from weft.semantics.winograd_points import Family, Surd
from weft.syntax import ast

Reader = Callable[[Context, ast.Expression], Operand]

# Of which extents each matrix is made; n = m + r - 1.
_SHAPES = {"BT": "nn", "B": "nn", "G": "nr", "GT": "rn", "A": "nm", "AT": "mn"}


def is_family(value: ast.Expression) -> bool:
    return isinstance(value, ast.Call) and value.function.name == "winograd"


def define(ctx: Context, statement: ast.Assign, read: Reader) -> None:
    """`t = winograd(...)`: a name for the family."""
    assert isinstance(statement.value, ast.Call)
    target = statement.targets[0]
    if len(statement.targets) > 1 or target.items is not None:
        no_value(ctx, "winograd(...)", "t", statement.value.span)
    known = ctx.scope.find(target.name.name)
    if known is not None and not isinstance(known, Poison) and target.name.name in ctx.outputs:
        no_value(ctx, "winograd(...)", "t", statement.value.span)
    ctx.define(target.name.name, target.name.span, read_family(ctx, statement.value, read))


def no_value(ctx: Context, what: str, name: str, span: Span) -> NoReturn:
    # W805
    ctx.fail(
        span,
        "W805",
        f"{what} is a family of matrices and no tensor",
        expected=f"one of its matrices: {_listed(name)}",
        help="" if what.startswith("'") else f"name it first: {name} = {what}",
    )


def _listed(name: str) -> str:
    return " ".join(f"{name}.{m}" for m in winograd_points.NAMES)


# ------------------------------------------------------------------------------------- families


def read_family(ctx: Context, node: ast.Call, read: Reader) -> MatrixFamily:
    """`winograd(m=4, r=3, points=[0, 1, -1, 2, -2])`."""
    check_arguments(ctx, node, 0, 0, {"m", "r", "points"})
    parts: list[Size] = []
    for name in ("m", "r"):
        given = keyword(node, name)
        if given is None:
            ctx.fail(
                node.span,
                "W801",
                f"winograd needs {name}=",
                expected="m, the results of a tile, and r, the extent of the filter",
                help="winograd(m=4, r=3)",
            )
        parts.append(read_size(ctx, given))
    m, r = parts
    check_sizes(ctx, m, r, node.span)
    given = keyword(node, "points")
    points = None if given is None else _points(ctx, given, m, r, read)
    if m.value is None or r.value is None or (given is not None and points is None):
        return MatrixFamily(m, r, None)
    return MatrixFamily(m, r, winograd_points.family(m.value, r.value, points))


def check_sizes(ctx: Context, m: Size, r: Size, span: Span, step: int = 1) -> None:
    """W801"""
    if m.value is None or r.value is None:
        return
    n = step * (m.value - 1) + r.value
    shown = "m+r-1" if step == 1 else f"{step}*(m-1)+r"
    if m.value < 1 or r.value < 1 or n > winograd_points.LARGEST:
        # W801
        ctx.fail(
            span,
            "W801",
            "there are no Winograd matrices of this size",
            expected=f"m and r of at least 1, and {shown} at most {winograd_points.LARGEST}",
            found=f"m {m.shown} and r {r.shown}, so {shown} is {n}",
            help="a larger m costs more digits than time: 2, 4 and 6 are usual",
        )


def _points(
    ctx: Context, given: ast.Expression, m: Size, r: Size, read: Reader
) -> tuple[Surd, ...] | None:
    """None where a point depends on sizes that are not known."""
    if not isinstance(given, ast.List):
        ctx.fail(given.span, "W613", "points= is a list", expected="such as [0, 1, -1]")
    read_points = [_point(ctx, e, read) for e in given.elements]
    if None in read_points or m.value is None or r.value is None:
        return None
    points = tuple(p for p in read_points if p is not None)
    wanted = m.value + r.value - 2
    if len(points) != wanted:
        # W802
        ctx.fail(
            given.span,
            "W802",
            f"winograd(m={m}, r={r}) needs {wanted} points",
            expected=f"m+r-2 (= {wanted}) finite points; infinity is always there",
            found=f"{len(points)}",
        )
    for number, (point, written) in enumerate(zip(points, given.elements, strict=True)):
        if point in points[:number]:
            first = given.elements[points.index(point)].span.text
            # W803
            ctx.fail(
                written.span,
                "W803",
                "two points are equal",
                expected="different points",
                found=f"{written.span.text} and {first}, both {point}",
            )
        if point.root and -point not in points:
            # W804
            ctx.fail(
                written.span,
                "W804",
                "a root stands without its negative",
                expected=f"{-point} among the points too: then the matrices are exact",
                found=f"{point} alone",
            )
    return points


def _point(ctx: Context, node: ast.Expression, read: Reader) -> Surd | None:
    """A rational number or the square root of one. W804."""
    if isinstance(node, ast.Unary) and node.op in "+-":
        inner = _point(ctx, node.operand, read)
        return inner if inner is None or node.op == "+" else -inner
    if isinstance(node, ast.Call) and node.function.name == "sqrt" and len(node.arguments) == 1:
        square = _rational(ctx, node.arguments[0], read)
        if square is None:
            return None
        if square < 0:
            ctx.fail(
                node.span,
                "W804",
                "the root of a negative number is no point",
                expected="sqrt of 0 or more",
            )
        return winograd_points.square_root(square) if square else winograd_points.ZERO
    value = _rational(ctx, node, read)
    return None if value is None else Surd(value)


def _rational(ctx: Context, node: ast.Expression, read: Reader) -> Fraction | None:
    operand = read(ctx, node)
    value = operand.constant
    if value is UNKNOWN:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
        # W804
        ctx.fail(
            node.span,
            "W804",
            "a point is a rational number, or a square root of one and its negative",
            expected="such as 2, -1/2, or sqrt(1/2) and -sqrt(1/2), written in the list",
            found=f"'{node.span.text[:40]}'",
        )
    fraction, most = Fraction(value), winograd_points.MAX_PART
    if abs(fraction.numerator) > most or fraction.denominator > most:
        ctx.fail(
            node.span,
            "W804",
            "this point is out of range",
            expected=f"numerator and denominator of at most {most}",
            found=str(fraction)[:40],
        )
    return fraction


# ------------------------------------------------------------------------------------- matrices


# Attributes in NumPy.
_OF_TENSORS = {
    "T": "transpose(x) is the transpose of a tensor",
    **dict.fromkeys(("shape", "size", "ndim"), "sizes have names: x: f64[n] gives n"),
}
_PARTS = {"real": "real", "re": "real", "imag": "imag", "im": "imag"}


def _family(ctx: Context, node: ast.Attribute, read: Reader) -> MatrixFamily:
    base = node.base
    if isinstance(base, ast.Call) and is_family(base):
        return read_family(ctx, base, read)
    meaning = ctx.scope.find(base.name) if isinstance(base, ast.Name) else None
    if isinstance(meaning, Poison):
        raise Poisoned
    if not isinstance(meaning, MatrixFamily):
        read(ctx, base)  # an unknown name, and what else may be wrong with it
        part, text = _PARTS.get(node.name.name), base.span.text[:40]
        way_out = f"it is {part}({text})" if part else _OF_TENSORS.get(node.name.name, "")
        # W805
        ctx.fail(
            node.name.span,
            "W805",
            f"there is no part '.{node.name.name}'",
            expected="" if way_out else "parts are those of t = winograd(...): " + _listed("t"),
            found=f"'{text}' is no such family" if not way_out else "",
            help=way_out,
        )
    return meaning


def _matrix(ctx: Context, node: ast.Attribute, read: Reader) -> MatrixOf:
    """W805"""
    of, name = _family(ctx, node, read), node.name.name
    if name not in _SHAPES:
        ctx.fail(
            node.name.span,
            "W805",
            f"a Winograd family has no matrix '{name}'",
            expected=" ".join(winograd_points.NAMES),
            help=close_match(name, winograd_points.NAMES),
        )
    extents = {"m": of.m, "r": of.r, "n": of.m + of.r - size(1)}
    rows, columns = (extents[letter] for letter in _SHAPES[name])
    known: Family | None = of.family
    return MatrixOf(None if known is None else known.matrix(name), (rows, columns))


def matrix(ctx: Context, node: ast.Attribute, read: Reader) -> Operand:
    """`t.BT`: a table that takes the type of what it meets."""
    found = _matrix(ctx, node, read)

    def produce(element: Element, _name: str, _span: Span) -> typed.Value:
        key = (found, element)
        value = ctx.twiddles.get(key)
        if value is None:
            family = f"{node.base.name}_" if isinstance(node.base, ast.Name) else ""
            value = ctx.value(family + node.name.name, element, found.shape, node.span)
            ctx.twiddles[key] = value
            data = found.rounded(element.real).astype(element.numpy)
            data.setflags(write=False)
            ctx.prelude.append(typed.Table(value, data, node.span))
        return value

    return Operand(
        Kind.REAL, None, found.shape, node.span, None, produce, in_prelude=True, matrix=found
    )


def table(ctx: Context, node: ast.Attribute, read: Reader) -> ConstantTable:
    """`t.BT` as a table that a const reads elements of."""
    found = _matrix(ctx, node, read)
    data = None if found.exact is None else winograd_points.extended(found.exact)
    return ConstantTable(node.span.text, found.shape, Kind.REAL, data, node.span)


def transform(ctx: Context, left: Operand, right: Operand, element: Element, span: Span) -> Operand:
    """`t.X @ v` on the last axis but one of v, `v @ t.X` on the last one."""
    if left.matrix is not None:
        source, axis, used = right, max(len(right.shape) - 2, 0), left.matrix
        extent = used.shape[0]
    else:
        assert right.matrix is not None
        source, axis, used = left, len(left.shape) - 1, right.matrix
        extent = used.shape[1]
    shape = (*source.shape[:axis], extent, *source.shape[axis + 1 :])
    from_left = left.matrix is not None

    def produce(want: Element, name: str, place: Span) -> typed.Value:
        value = materialise(ctx, source, want)
        target = ctx.value(name, want, shape, place)
        data = used.rounded(want.real)
        if not from_left:
            data = data.T.copy()
            data.setflags(write=False)
        ctx.block.append(typed.WinogradTransform(target, value, axis, data, span))
        return target

    return Operand(element.kind, element, shape, span, None, produce, free=source.free)
