# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic on constants: exact or in extended precision, rounded once at the end.

Integers and rational numbers are exact (`int`, `Fraction`); what is irrational is a NumPy
`longdouble` or `clongdouble`. Tables are arrays of int64, longdouble, clongdouble or bool.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from weft.semantics.types import Element, Kind

Real = np.longdouble
Complex = np.clongdouble
PI = Real("3.14159265358979323846264338327950288419716939937510")
MAX_BITS = 4096
MAX_TABLE_ELEMENTS = 1 << 21


class ConstantError(Exception):
    """The arithmetic has no result: division by zero, overflow, a root of a negative number."""


def kind_of(value: Any) -> Kind:
    if isinstance(value, np.ndarray):
        return {"b": Kind.BOOL, "i": Kind.INT, "f": Kind.REAL, "c": Kind.COMPLEX}[value.dtype.kind]
    if isinstance(value, (bool, np.bool_)):
        return Kind.BOOL
    if isinstance(value, (int, np.integer)):
        return Kind.INT
    return Kind.COMPLEX if isinstance(value, (complex, np.complexfloating)) else Kind.REAL


def number(text: str, kind: str) -> Any:
    """The value of a literal."""
    if kind == "int":
        return int(text, 16) if text[:2].lower() == "0x" else int(text)
    if kind == "real":
        return Fraction(text)
    return Complex(1j) * Real(text[:-1])


def _real(value: Any) -> Any:
    """As longdouble, or an array of it."""
    if isinstance(value, np.ndarray):
        return value if value.dtype.kind in "fc" else value.astype(Real)
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return _real(value.numerator)
        return _real(value.numerator) / _real(value.denominator)
    if isinstance(value, (int, np.integer)):
        return Real(str(value))
    return value


extended = _real


def _integers(value: Any) -> bool:
    return kind_of(value) is Kind.INT


def _exact(value: Any) -> bool:
    return isinstance(value, (int, Fraction)) and not isinstance(value, bool)


def apply(op: str, *values: Any) -> Any:
    """`op` of constants. Raises `ConstantError`; the operands' kinds were checked before."""
    try:
        with np.errstate(divide="raise", over="raise", invalid="raise", under="ignore"):
            result = _OPS[op](*values)
    except (ZeroDivisionError, FloatingPointError) as error:
        text = str(error)
        divided = isinstance(error, ZeroDivisionError) or "divide" in text
        raise ConstantError(
            "division by zero" if divided else "the result is not a number in range"
        ) from None
    except OverflowError:
        raise ConstantError("the result is out of range") from None
    return _checked(result)


def _checked(result: Any) -> Any:
    if isinstance(result, Fraction):
        big = max(result.numerator.bit_length(), result.denominator.bit_length())
        if big > MAX_BITS:
            return _checked(_real(result))
        return result
    if isinstance(result, int) and result.bit_length() > MAX_BITS:
        raise ConstantError("the integer is out of range")
    if isinstance(result, (np.floating, np.complexfloating)) and not np.isfinite(result):
        raise ConstantError("the result is out of range")
    if isinstance(result, np.integer):
        return int(result)
    return result


def _arith(op: str) -> Callable[[Any, Any], Any]:
    def integers(a: Any, b: Any) -> Any:
        result = _BASIC[op](np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64))
        near = _BASIC[op](np.asarray(a, dtype=Real), np.asarray(b, dtype=Real))
        if np.any(np.abs(near) >= 2.0**63):
            raise ConstantError("an integer of the table is out of the range of i64")
        return result

    def run(a: Any, b: Any) -> Any:
        if _exact(a) and _exact(b):
            return _BASIC[op](a, b)
        if _integers(a) and _integers(b):
            return integers(a, b)
        return _BASIC[op](_real(a), _real(b))

    return run


_BASIC: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
}


def _div(a: Any, b: Any) -> Any:
    if _exact(a) and _exact(b):
        return Fraction(a) / Fraction(b)
    if np.any(np.asarray(b) == 0):
        raise ZeroDivisionError
    return _real(a) / _real(b)


def _floor(op: str) -> Callable[[Any, Any], Any]:
    def run(a: Any, b: Any) -> Any:
        if np.any(np.asarray(_real(b)) == 0):
            raise ZeroDivisionError
        if not (_exact(a) and _exact(b)) and not (_integers(a) and _integers(b)):
            a, b = _real(a), _real(b)
        return a // b if op == "floordiv" else a % b

    return run


def _pow(a: Any, b: Any) -> Any:
    if isinstance(b, Fraction) and b.denominator == 1:
        b = b.numerator
    if isinstance(b, int):
        if abs(b) > MAX_BITS:
            raise OverflowError
        if _exact(a):
            if b < 0:
                return Fraction(a) ** b
            if isinstance(a, int) and a.bit_length() * b > MAX_BITS:
                raise OverflowError
            return a**b
        if b < 0:
            return _div(1, _pow(a, -b))
        result: Any = 1
        for _ in range(b) if b < 64 else ():
            result = apply("mul", result, a)
        return result if b < 64 else _real(a) ** b
    base = _real(a)
    if np.any(np.asarray(base) < 0):
        raise ConstantError("a power of a negative number with a fraction as exponent")
    return np.power(base, _real(b))


def _function(name: str) -> Callable[[Any], Any]:
    return lambda a: getattr(np, name)(_real(a))


def _sqrt(a: Any) -> Any:
    if kind_of(a) is not Kind.COMPLEX and np.any(np.asarray(_real(a)) < 0):
        raise ConstantError("the square root of a negative number")
    return np.sqrt(_real(a))


def _log(a: Any) -> Any:
    positive = kind_of(a) is Kind.COMPLEX or np.all(np.asarray(_real(a)) > 0)
    if not positive or np.any(np.asarray(a) == 0):
        raise ConstantError("the logarithm of zero or of a negative number")
    return np.log(_real(a))


def _part(name: str) -> Callable[[Any], Any]:
    def run(a: Any) -> Any:
        if kind_of(a) is Kind.COMPLEX:
            return getattr(np, name)(a)
        return a if name == "real" else 0 * a

    return run


def _compare(op: str) -> Callable[[Any, Any], Any]:
    compare = getattr(np, {"lt": "less", "le": "less_equal", "gt": "greater"}.get(op, "greater"))
    table = {
        "ge": np.greater_equal,
        "eq": np.equal,
        "ne": np.not_equal,
    }
    ufunc = table.get(op, compare)

    def run(a: Any, b: Any) -> Any:
        if _exact(a) and _exact(b):
            a, b = Fraction(a) - Fraction(b), 0
            a = (a > 0) - (a < 0)
        elif not (_integers(a) and _integers(b)):
            a, b = _real(a), _real(b)
        result = ufunc(a, b)
        return bool(result) if np.ndim(result) == 0 else result

    return run


def _where(condition: Any, a: Any, b: Any) -> Any:
    if not isinstance(condition, np.ndarray):
        return a if condition else b
    if not (_integers(a) and _integers(b)):
        a, b = _real(a), _real(b)
    return np.where(condition, a, b)


def _extreme(op: str) -> Callable[[Any, Any], Any]:
    def run(a: Any, b: Any) -> Any:
        return _where(_OPS["ge" if op == "max" else "le"](a, b), a, b)

    return run


def _abs2(a: Any) -> Any:
    if kind_of(a) is not Kind.COMPLEX:
        return apply("mul", a, a)
    return np.real(a) * np.real(a) + np.imag(a) * np.imag(a)


_OPS: dict[str, Callable[..., Any]] = {
    **{op: _arith(op) for op in _BASIC},
    "div": _div,
    "floordiv": _floor("floordiv"),
    "mod": _floor("mod"),
    "pow": _pow,
    "neg": lambda a: -a,
    "exp": _function("exp"),
    "log": _log,
    "sin": _function("sin"),
    "cos": _function("cos"),
    "tanh": _function("tanh"),
    "angle": _function("angle"),
    "sqrt": _sqrt,
    "conj": lambda a: np.conj(a) if kind_of(a) is Kind.COMPLEX else a,
    "real": _part("real"),
    "imag": _part("imag"),
    "abs": lambda a: abs(a),
    "abs2": _abs2,
    **{op: _compare(op) for op in ("lt", "le", "gt", "ge", "eq", "ne")},
    "where": _where,
    "max": _extreme("max"),
    "min": _extreme("min"),
    "and": lambda a, b: np.logical_and(a, b) if _array(a, b) else bool(a and b),
    "or": lambda a, b: np.logical_or(a, b) if _array(a, b) else bool(a or b),
    "not": lambda a: np.logical_not(a) if _array(a) else not a,
}


def _array(*values: Any) -> bool:
    return any(isinstance(v, np.ndarray) for v in values)


def rounded(value: Any, element: Element) -> bool | int | float | complex:
    """The scalar constant as a Python number that `element` holds exactly; rounded once."""
    if element is Element.BOOL:
        return bool(value)
    if element.is_int:
        bits = 8 * element.bytes - 1
        if not -(1 << bits) <= value < 1 << bits:
            raise ConstantError(f"{value} is out of the range of {element}")
        return int(value)
    if element.is_complex:
        parts = (np.real(value), np.imag(value)) if kind_of(value) is Kind.COMPLEX else (value, 0)
        return complex(*(_rounded_real(p, element.real) for p in parts))
    return _rounded_real(value, element)


def _rounded_real(value: Any, element: Element) -> float:
    dtype = np.dtype(element.numpy).type
    if _exact(value):
        try:
            near = float(Fraction(value))
        except OverflowError:
            raise ConstantError(f"the constant is out of the range of {element}") from None
        if element is Element.F32:
            near = _f32_of_exact(Fraction(value), near)
        result = near
    else:
        with np.errstate(over="ignore", under="ignore"):
            result = float(dtype(value))
    if not np.isfinite(result):
        raise ConstantError(f"the constant is out of the range of {element}")
    return result


def _f32_of_exact(exact: Fraction, near: float) -> float:
    """Round to odd in f64 first, so that the second rounding, to f32, is the right one."""
    if Fraction(near) != exact:
        bits = np.float64(near).view(np.int64)
        if not bits & 1:
            other = np.inf if exact > Fraction(near) else -np.inf
            near = float(np.nextafter(near, other))
    with np.errstate(over="ignore", under="ignore"):
        return float(np.float32(near))


def rounded_table(values: np.ndarray, element: Element, shape: tuple[int, ...]) -> np.ndarray:
    """The table as an array of the element's dtype, rounded once, read-only."""
    if element.is_int and values.size:
        info = np.iinfo(element.numpy)
        if values.min() < info.min or values.max() > info.max:
            raise ConstantError(f"an entry of the table is out of the range of {element}")
    with np.errstate(over="ignore", under="ignore"):
        data = np.ascontiguousarray(np.broadcast_to(values, shape).astype(element.numpy))
    if data.dtype.kind in "fc" and not np.all(np.isfinite(data)):
        raise ConstantError(f"an entry of the table is out of the range of {element}")
    data.setflags(write=False)
    return data
