# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Size expressions and index expressions: AST to `Size` and `AffineIndex`."""

from __future__ import annotations

from typing import NoReturn

from weft.diagnostics import Span
from weft.semantics import consts, typed
from weft.semantics.context import (
    Context,
    Poison,
    Poisoned,
    ScalarConstant,
    SizeName,
)
from weft.semantics.indices import (
    AffineIndex,
    IndexVariable,
    affine,
    constant_index,
    variable_index,
)
from weft.semantics.sizes import Size, equal, negative, size, unknown
from weft.semantics.types import Kind
from weft.syntax import ast, foreign

MAX_EXTENT = 1 << 48
MAX_SIZE_POWER = 16
# Of an integer: 2**48 is the largest size.
MAX_CONSTANT_POWER = 48


def read_size(ctx: Context, expression: ast.Expression) -> Size:
    """A size: an index expression without variables. W303 otherwise."""
    index = read_index(ctx, expression)
    if index.modulus is not None or index.terms:
        names = sorted(v.name for v in index.variables)
        _depends_on_index(ctx, expression.span, names[0] if names else "")
    return index.constant


def _depends_on_index(ctx: Context, span: Span, name: str) -> NoReturn:
    # W303
    ctx.fail(
        span,
        "W303",
        "a size is needed here",
        expected="integers, size parameters and constants",
        found=f"the index variable '{name}'" if name else "",
        help="ranges do not depend on one another: choose elements, where(j < i, ..., 0)",
    )


def read_extent(ctx: Context, expression: ast.Expression) -> Size:
    """A size of a dimension: W304 where it is not positive, W305 where it is too big."""
    extent = read_size(ctx, expression)
    check_extent(ctx, extent, expression.span)
    return extent


def check_extent(ctx: Context, extent: Size, span: Span) -> None:
    if extent.value is None:
        return
    if extent.value < 1:
        # W304
        ctx.fail(
            span,
            "W304",
            "an extent is at least 1",
            expected="1 to 2^48",
            found=extent.shown,
            help="extents are not inferred: write it" if extent.shown == "-1" else "",
        )
    if extent.value > MAX_EXTENT:
        # W305
        ctx.fail(span, "W305", "this size is too big", expected="at most 2^48", found=extent.shown)


def read_range(ctx: Context, written: ast.Range) -> tuple[Size, Size]:
    """W405: the ends of a range that is not empty."""
    lower, upper = read_size(ctx, written.lower), read_size(ctx, written.upper)
    extent = upper - lower
    if negative(extent - size(1)):
        ctx.fail(
            written.span,
            "W405",
            "this range is empty",
            expected="lower:upper with lower < upper (half-open)",
            found=f"{lower.shown}:{upper.shown}",
        )
    check_extent(ctx, upper, written.upper.span)
    return lower, upper


def read_ranges(ctx: Context, written: tuple[ast.NamedRange, ...]) -> list[tuple[Size, Size]]:
    """Those of `for i in 0:n, j in 0:m`. W303: a range does not use a name beside it."""
    names = {r.name.name for r in written}
    for one in written:
        for end in (one.range.lower, one.range.upper):
            for node in ast.walk(end):
                if not isinstance(node, ast.Name) or node.name not in names:
                    continue
                if ctx.scope.find(node.name) is None:
                    _depends_on_index(ctx, end.span, node.name)
    return [read_range(ctx, one.range) for one in written]


def new_variable(
    ctx: Context, name: ast.Name, lower: Size, upper: Size, in_time: bool = False
) -> IndexVariable:
    made = IndexVariable(typed.Index(ctx.fresh(), name.name, name.span), lower, upper, in_time)
    ctx.define(name.name, name.span, made)
    return made


def read_index(ctx: Context, expression: ast.Expression) -> AffineIndex:
    """W403: an affine expression, or one `%` a size."""
    if isinstance(expression, ast.Number):
        if expression.kind != "int":
            _not_integer(ctx, expression.span, f"'{expression.text}'")
        number = consts.number(expression.text, "int")
        return constant_index(ctx.guarded(expression.span, lambda: size(number)))
    if isinstance(expression, ast.Name):
        return _name(ctx, expression)
    if isinstance(expression, ast.Unary) and expression.op in "+-":
        operand = _plain(ctx, read_index(ctx, expression.operand), expression.operand.span)
        return operand if expression.op == "+" else operand.scaled(size(-1))
    if isinstance(expression, ast.Binary):
        left = read_index(ctx, expression.left)
        right = read_index(ctx, expression.right)
        return _binary(ctx, expression, left, right)
    if isinstance(expression, ast.Call) and expression.function.name in ("min", "max"):
        return _extreme(ctx, expression)
    if isinstance(expression, (ast.Subscript, ast.Call)):
        depends_on_data(ctx, expression.span)
    if isinstance(expression, ast.Compare):
        return _not_affine(ctx, expression.span, "choose elements by where(condition, x, 0)")
    if isinstance(expression, ast.Attribute) and expression.name.name in foreign.NAMES:
        return _not_affine(ctx, expression.span, foreign.NAMES[expression.name.name])
    return _not_affine(ctx, expression.span)


def _name(ctx: Context, name: ast.Name) -> AffineIndex:
    meaning = ctx.scope.find(name.name)
    if meaning is None:
        # W101
        ctx.unknown(name.name, name.span, in_index=True)
    if isinstance(meaning, Poison):
        raise Poisoned
    if isinstance(meaning, SizeName):
        return constant_index(meaning.size)
    if isinstance(meaning, IndexVariable):
        return variable_index(meaning)
    if isinstance(meaning, ScalarConstant):
        if meaning.kind is not Kind.INT:
            _not_integer(ctx, name.span, f"'{name.name}', which is {meaning.kind.name.lower()}")
        if meaning.value is None:
            return constant_index(unknown())
        return constant_index(ctx.guarded(name.span, lambda: size(meaning.value)))
    return depends_on_data(ctx, name.span)


def _extreme(ctx: Context, call: ast.Call) -> AffineIndex:
    """`min(n, m)` of two sizes; of an index variable or of data it is no index."""
    parts = [read_index(ctx, a) for a in call.arguments]
    plain = len(parts) == 2 and not call.keywords and not call.ranges and not call.sizes
    if not plain or any(p.terms or p.modulus is not None for p in parts):
        borders = "borders are parts of their own: y[0] = ..., y[i in 1:n] = ..."
        sizes = "of two sizes there are min(n, m) and max(n, m)"
        return _not_affine(ctx, call.span, borders if any(p.terms for p in parts) else sizes)
    left, right = (p.constant for p in parts)
    name = call.function.name
    return constant_index(
        ctx.guarded(call.span, lambda: (left.smaller if name == "min" else left.larger)(right))
    )


def _not_integer(ctx: Context, span: Span, found: str) -> NoReturn:
    # W207
    ctx.fail(span, "W207", "sizes and indices are integers", expected="an integer", found=found)


def depends_on_data(
    ctx: Context, span: Span, way_out: str = "reading at computed places is gather(x, idx)"
) -> NoReturn:
    # W404
    ctx.fail(
        span,
        "W404",
        "an index does not depend on data",
        expected="index variables, sizes and integers",
        found=f"'{span.text[:40]}'",
        help=way_out,
    )


def _not_affine(
    ctx: Context, span: Span, help_text: str = "read at other places by data: gather(x, idx)"
) -> NoReturn:
    # W403
    ctx.fail(
        span,
        "W403",
        "this index is not affine",
        expected="sums of index variables times sizes, or (such a sum) % n",
        found=f"'{span.text[:40]}'",
        help=help_text,
    )


def _plain(ctx: Context, index: AffineIndex, span: Span) -> AffineIndex:
    """An index that is computed with further has no remainder in it."""
    if index.modulus is not None:
        _not_affine(ctx, span)
    return index


def _binary(
    ctx: Context, expression: ast.Binary, left: AffineIndex, right: AffineIndex
) -> AffineIndex:
    span = expression.span
    if expression.op == "%" and left.terms:
        return _remainder(ctx, expression, _plain(ctx, left, span), right)
    left, right = _plain(ctx, left, span), _plain(ctx, right, span)
    if expression.op == "+":
        return left + right
    if expression.op == "-":
        return left + right.scaled(size(-1))
    if expression.op == "*" and not (left.terms and right.terms):
        factor, scaled = (left, right) if right.terms else (right, left)
        wide, small = scaled, factor.constant
        if not wide.terms:
            product = ctx.guarded(span, lambda: wide.constant * small)
            return constant_index(product)
        return wide.scaled(small)
    if left.terms or right.terms:
        return _not_affine(ctx, span)
    return constant_index(_size_operation(ctx, expression, left.constant, right.constant))


def _remainder(
    ctx: Context, expression: ast.Binary, left: AffineIndex, right: AffineIndex
) -> AffineIndex:
    if right.terms or right.modulus is not None:
        return _not_affine(ctx, expression.span)
    if negative(right.constant - size(1)):
        # W409
        ctx.fail(
            expression.right.span,
            "W409",
            "the modulus of an index is positive",
            expected="1 or more",
            found=right.constant.shown,
        )
    return affine(left.terms, left.constant, right.constant)


def _size_operation(  # noqa: RET503 (fail raises)
    ctx: Context, expression: ast.Binary, left: Size, right: Size
) -> Size:
    op, span = expression.op, expression.span
    if op in ("//", "%"):
        if (right.constant if right.value is None else right.value) == 0:
            # W306
            ctx.fail(
                expression.right.span,
                "W306",
                "division by zero",
                expected="a size other than 0",
                found=right.shown,
            )
        divide = left.floordiv if op == "//" else left.mod
        return ctx.guarded(span, lambda: divide(right))
    if op == "**":
        exponent = right.constant
        limit = MAX_SIZE_POWER if left.constant is None else MAX_CONSTANT_POWER
        if exponent is None or not 0 <= exponent <= limit:
            ctx.fail(
                expression.right.span,
                "W303",
                "a power of a size has a small constant exponent",
                expected=f"0 to {limit}",
                found=str(right),
            )
        result = size(1)
        for _ in range(exponent):
            result = ctx.guarded(span, lambda r=result: r * left)  # type: ignore[misc]
        return result
    # W303
    ctx.fail(
        span,
        "W303",
        f"'{op}' makes no size",
        expected="+ - * // % **",
        help="division of sizes is //" if op == "/" else "",
    )


def read_integer(ctx: Context, expression: ast.Expression, what: str) -> int | None:
    """A size whose value is needed at once; None in the generic check where it is not known."""
    read = read_size(ctx, expression)
    value = read.constant if read.value is None else read.value
    if value is None and not ctx.generic:
        ctx.fail(expression.span, "W303", f"{what} must be a known integer")
    return value


def same(a: Size, b: Size) -> bool:
    return equal(a, b) is True
