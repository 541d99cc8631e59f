# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of element types, and element-wise operations on checked operands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.diagnostics import Span
from weft.semantics import consts, typed
from weft.semantics.context import Context
from weft.semantics.operand import (
    NOT_CONSTANT,
    UNKNOWN,
    Indices,
    Operand,
    aligned,
    broadcast,
    converted,
    scalar,
)
from weft.semantics.types import DEFAULT_ELEMENT, Element, Kind

OPERATORS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "div",
    "//": "floordiv",
    "%": "mod",
    "**": "pow",
    "and": "and",
    "or": "or",
}
COMPARISONS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}
MAX_POWER = 1024


def folded(ctx: Context, op: str, operands: list[Operand], span: Span) -> Any:
    """The constant result of constant operands, or NOT_CONSTANT."""
    if not all(o.is_constant for o in operands):
        return NOT_CONSTANT
    if any(o.constant is UNKNOWN for o in operands):
        return UNKNOWN
    try:
        return consts.apply(op, *(o.constant for o in operands))
    except consts.ConstantError as error:
        # W702
        ctx.fail(span, "W702", str(error), expected="a finite number within its type")


def joined(ctx: Context, operands: list[Operand], span: Span) -> tuple[Kind, Element | None]:
    """W201: the common type. Weak operands adapt; a real goes with the complex of its precision."""
    kind = max((o.kind for o in operands), key=lambda k: k.value)
    if kind is not Kind.BOOL and any(o.kind is Kind.BOOL for o in operands):
        _mixed(ctx, operands, span)
    common: Element | None = None
    for operand in operands:
        own = operand.element
        if own is None or own is common:
            continue
        if common is None:
            common = own
        elif own.real is common.real and not (own.is_int or common.is_int):
            common = own.complex
        else:
            _mixed(ctx, operands, span)
    if common is None:
        return kind, None
    if common.kind.value >= kind.value:
        return common.kind, common
    # A literal of a wider kind: an integer tensor with 0.5 is f64, a real one with 2j complex.
    wider = common.complex if kind is Kind.COMPLEX else DEFAULT_ELEMENT[kind]
    return wider.kind, wider


def _mixed(ctx: Context, operands: list[Operand], span: Span) -> None:
    names = [str(o.element or o.described) for o in operands]
    strong = [o.element for o in operands if o.element]
    target = max(strong, key=lambda e: (e.kind.value, e.bytes)) if strong else Element.F64
    help_text = f"convert one of them, as in {target}(...)"
    if any(o.kind is Kind.BOOL for o in operands):
        help_text = "choose numbers with where(condition, 1.0, 0.0)"
    ctx.fail(
        span,
        "W201",
        "these element types do not mix",
        expected="one element type, or literals",
        found=" and ".join(dict.fromkeys(names)),
        help=help_text,
    )


def free_of(operands: list[Operand]) -> frozenset[Any]:
    return frozenset().union(*(o.free for o in operands))


def elementwise(
    ctx: Context,
    op: str,
    operands: list[Operand],
    kind: Kind,
    element: Element | None,
    span: Span,
    make: Callable[[Indices, Element], typed.Scalar],
) -> Operand:
    """An operand computed element by element; folded where everything is constant."""
    constant = folded(ctx, op, operands, span)
    shape = broadcast(ctx, operands, span)
    return Operand(kind, element, shape, span, make, constant=constant, free=free_of(operands))


def binary(ctx: Context, sign: str, left: Operand, right: Operand, span: Span) -> Operand:
    """`+ - * / // % ** and or`, by sign."""
    op = OPERATORS[sign]
    both = [left, right]
    if op in ("and", "or"):
        return _logical(ctx, op, both, span)
    for operand in both:
        if operand.kind is Kind.BOOL:
            _undefined(ctx, sign, operand, span, "choose numbers with where(condition, 1, 0)")
    if op == "pow":
        return power(ctx, left, right, span)
    kind, element = joined(ctx, both, span)
    # Of reals x / 0, x // 0 and x % 0 are what IEEE arithmetic says: infinity or NaN.
    if op in ("div", "floordiv", "mod") and kind is Kind.INT:
        _check_divisor(ctx, right)
    if op == "div" and kind is Kind.INT:
        kind, element = Kind.REAL, None if element is None else Element.F64
    if op in ("floordiv", "mod"):
        if kind is Kind.COMPLEX:
            wide = left if left.kind is Kind.COMPLEX else right
            _undefined(ctx, sign, wide, span, "take its parts: real(z), imag(z)")

    def make(indices: Indices, want: Element) -> typed.Scalar:
        def part(operand: Operand, as_element: Element) -> typed.Scalar:
            return scalar(ctx, operand, aligned(operand, indices), as_element)

        if kind is Kind.INT and element is None and op in ("floordiv", "mod"):
            # Exact, whatever type the weak integers are wanted in.
            whole = typed.Binary(
                op, part(left, Element.I64), part(right, Element.I64), Element.I64, span
            )
            return whole if want is Element.I64 else typed.Cast(whole, want, span)
        sides = [want, want]
        if want.is_complex and (op == "mul" or op == "div"):
            if right.kind is not Kind.COMPLEX:
                sides[1] = want.real
            elif left.kind is not Kind.COMPLEX and op == "mul":
                sides[0] = want.real
        return typed.Binary(op, part(left, sides[0]), part(right, sides[1]), want, span)

    return elementwise(ctx, op, both, kind, element, span, make)


def _check_divisor(ctx: Context, divisor: Operand) -> None:
    """W702: integers are not divided by a constant zero."""
    if isinstance(divisor.constant, int) and divisor.constant == 0:
        ctx.fail(
            divisor.span,
            "W702",
            "division by zero",
            expected="an integer other than 0",
            found=divisor.span.text[:40],
        )


def _undefined(ctx: Context, sign: str, operand: Operand, span: Span, way_out: str) -> None:
    # W203
    ctx.fail(
        span,
        "W203",
        f"'{sign}' is not defined for {operand.element or operand.described}",
        help=way_out,
    )


def _logical(ctx: Context, op: str, operands: list[Operand], span: Span) -> Operand:
    for operand in operands:
        require_bool(ctx, operand)

    def make(indices: Indices, _want: Element) -> typed.Scalar:
        left, right = (scalar(ctx, o, aligned(o, indices), Element.BOOL) for o in operands)
        return typed.Binary(op, left, right, Element.BOOL, span)

    return elementwise(ctx, op, operands, Kind.BOOL, Element.BOOL, span, make)


def require_bool(ctx: Context, operand: Operand) -> None:
    """W204"""
    if operand.kind is not Kind.BOOL:
        ctx.fail(
            operand.span,
            "W204",
            "a condition is needed here",
            expected="bool",
            found=operand.described,
            help="compare with something: x > 0",
        )


def compare(ctx: Context, sign: str, left: Operand, right: Operand, span: Span) -> Operand:
    op = COMPARISONS[sign]
    kind, element = joined(ctx, [left, right], span)
    if kind in (Kind.COMPLEX, Kind.BOOL) and op not in ("eq", "ne"):
        wide = left if left.kind is kind else right
        _undefined(ctx, sign, wide, span, "compare real(x), imag(x) or abs2(x)")
    common = element or DEFAULT_ELEMENT[kind]

    def make(indices: Indices, _want: Element) -> typed.Scalar:
        a, b = (scalar(ctx, o, aligned(o, indices), common) for o in (left, right))
        return typed.Compare(op, a, b, Element.BOOL, span)

    return elementwise(ctx, op, [left, right], Kind.BOOL, Element.BOOL, span, make)


def where(ctx: Context, condition: Operand, then: Operand, other: Operand, span: Span) -> Operand:
    require_bool(ctx, condition)
    kind, element = joined(ctx, [then, other], span)

    def make(indices: Indices, want: Element) -> typed.Scalar:
        chosen = scalar(ctx, condition, aligned(condition, indices), Element.BOOL)
        a, b = (scalar(ctx, o, aligned(o, indices), want) for o in (then, other))
        return typed.Select(chosen, a, b, want, span)

    return elementwise(ctx, "where", [condition, then, other], kind, element, span, make)


def extreme(ctx: Context, op: str, left: Operand, right: Operand, span: Span) -> Operand:
    """max and min of two."""
    kind, element = joined(ctx, [left, right], span)
    if kind in (Kind.COMPLEX, Kind.BOOL):
        wide = left if left.kind is kind else right
        _undefined(ctx, op, wide, span, "choose by where(condition, a, b)")

    def make(indices: Indices, want: Element) -> typed.Scalar:
        a, b = (scalar(ctx, o, aligned(o, indices), want) for o in (left, right))
        return typed.Binary(op, a, b, want, span)

    return elementwise(ctx, op, [left, right], kind, element, span, make)


# ------------------------------------------------------------------------------- powers and unary


def power(ctx: Context, base: Operand, exponent: Operand, span: Span) -> Operand:
    """W206. A constant integer exponent multiplies; other powers are of reals."""
    if exponent.kind is Kind.INT and exponent.is_constant:
        return _integer_power(ctx, base, exponent, span)
    if base.kind is Kind.INT and base.element is None and exponent.kind is Kind.REAL:
        pass  # 2 ** 0.5
    elif base.kind is not Kind.REAL or exponent.kind not in (Kind.REAL, Kind.INT):
        ctx.fail(
            span,
            "W206",
            f"this power of {base.described} is not defined",
            expected="an integer constant as exponent, or a real base and exponent",
            found=f"exponent {exponent.described}",
        )
    kind, element = joined(ctx, [base, exponent], span)

    def make(indices: Indices, want: Element) -> typed.Scalar:
        a, b = (scalar(ctx, o, aligned(o, indices), want) for o in (base, exponent))
        return typed.Binary("pow", a, b, want, span)

    return elementwise(ctx, "pow", [base, exponent], kind, element, span, make)


def _never(_indices: Indices, _want: Element) -> typed.Scalar:
    raise AssertionError("a constant array is read as a table only")


def _integer_power(ctx: Context, base: Operand, exponent: Operand, span: Span) -> Operand:
    value = exponent.constant
    kind, element = base.kind, base.element
    if isinstance(value, np.ndarray):
        return elementwise(ctx, "pow", [base, exponent], kind, element, span, _never)
    if value is not UNKNOWN:
        if abs(value) > MAX_POWER and not base.is_constant:
            ctx.fail(
                exponent.span,
                "W206",
                "this exponent is too big",
                expected=f"at most {MAX_POWER}",
                found=str(value),
            )
        if value < 0 and kind is Kind.INT:
            if element is not None:
                ctx.fail(span, "W206", "a negative power of an integer", help="use 1/x")
            kind = Kind.REAL

    def make(indices: Indices, want: Element) -> typed.Scalar:
        part = scalar(ctx, base, aligned(base, indices), want)
        if value is UNKNOWN or value == 1:
            return part
        if value == 0:
            return typed.Constant(consts.rounded(1, want), want, span)
        return typed.Power(part, value, want, span)

    return elementwise(ctx, "pow", [base, exponent], kind, element, span, make)


def unary(ctx: Context, sign: str, operand: Operand, span: Span) -> Operand:
    """`- + not`."""
    if sign == "not":
        require_bool(ctx, operand)
    elif operand.kind is Kind.BOOL:
        _undefined(ctx, sign, operand, span, "")
    if sign == "+":
        return operand
    op = "not" if sign == "not" else "neg"

    def make(indices: Indices, want: Element) -> typed.Scalar:
        return typed.Unary(op, scalar(ctx, operand, indices, want), want, span)

    return elementwise(ctx, op, [operand], operand.kind, operand.element, span, make)


def function(ctx: Context, name: str, operand: Operand, span: Span) -> Operand:
    """exp log sin cos tanh sqrt conj real imag abs abs2 angle."""
    if operand.kind is Kind.BOOL:
        _undefined(ctx, name, operand, span, "choose numbers with where(condition, 1.0, 0.0)")
    kind, element = operand.kind, operand.element
    if name in ("exp", "log", "sin", "cos", "tanh", "sqrt", "angle") and kind is Kind.INT:
        kind, element = Kind.REAL, None if element is None else Element.F64
    if name in ("exp", "log", "sin", "cos", "tanh", "sqrt"):
        return _same_type(ctx, name, operand, kind, element, span)
    if kind is not Kind.COMPLEX and name != "angle":
        return _of_real(ctx, name, operand, span)
    if name == "conj":
        return _same_type(ctx, name, operand, kind, element, span)
    real = None if element is None else element.real

    def make(indices: Indices, want: Element) -> typed.Scalar:
        # A real has an angle as well: that of the complex number.
        part = scalar(ctx, operand, indices, want.complex)
        return typed.Unary(name, part, want, span)

    return elementwise(ctx, name, [operand], Kind.REAL, real, span, make)


def _same_type(
    ctx: Context, name: str, operand: Operand, kind: Kind, element: Element | None, span: Span
) -> Operand:
    def make(indices: Indices, want: Element) -> typed.Scalar:
        return typed.Unary(name, scalar(ctx, operand, indices, want), want, span)

    return elementwise(ctx, name, [operand], kind, element, span, make)


def _of_real(ctx: Context, name: str, operand: Operand, span: Span) -> Operand:
    """real, conj: the operand itself; imag: zero; abs, abs2 as they are."""
    if name in ("real", "conj"):
        return operand
    if name in ("abs", "abs2"):
        return _same_type(ctx, name, operand, operand.kind, operand.element, span)

    def make(_indices: Indices, want: Element) -> typed.Scalar:
        return typed.Constant(consts.rounded(0, want), want, span)

    return elementwise(ctx, name, [operand], operand.kind, operand.element, span, make)


def cast(ctx: Context, element: Element, operand: Operand, span: Span) -> Operand:
    """`f64(x)`. W203: a complex number becomes real by real(x) only, and nothing becomes bool."""
    if operand.kind is Kind.COMPLEX and not element.is_complex:
        ctx.fail(
            span,
            "W203",
            f"a complex number does not become {element}",
            help=f"take a part: {element}(real(x))",
        )
    if element is Element.BOOL and operand.kind is not Kind.BOOL:
        ctx.fail(span, "W203", "a number does not become bool", help="compare it: x != 0")

    def make(indices: Indices, want: Element) -> typed.Scalar:
        own = operand.element
        if own is None:
            # A weak operand is rounded once, to the type asked for.
            narrowing = want.is_int and operand.kind is Kind.REAL
            own = Element.F64 if narrowing else want
            return converted(scalar(ctx, operand, indices, own), want, span)
        return converted(scalar(ctx, operand, indices, own), want, span)

    return Operand(element.kind, element, operand.shape, span, make, free=operand.free)
