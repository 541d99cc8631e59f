# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which operations compute each operator of the language, by element type.

Where MLIR rounds or signs otherwise than the language (`//` and `%` round toward minus infinity),
the difference is made up here, so that later stages know only MLIR's meaning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.diagnostics import CompilerBug, Span
from weft.semantics import typed
from weft.semantics.types import Element, Kind

if TYPE_CHECKING:
    from weft.lowering.expressions import Body

_SAME_TYPE = {
    ("add", Kind.INT): "arith.addi",
    ("sub", Kind.INT): "arith.subi",
    ("mul", Kind.INT): "arith.muli",
    ("floordiv", Kind.INT): "arith.floordivsi",
    ("max", Kind.INT): "arith.maxsi",
    ("min", Kind.INT): "arith.minsi",
    ("add", Kind.REAL): "arith.addf",
    ("sub", Kind.REAL): "arith.subf",
    ("mul", Kind.REAL): "arith.mulf",
    ("div", Kind.REAL): "arith.divf",
    ("pow", Kind.REAL): "math.powf",
    # maximumf and minimumf, not maxnumf: NaN wins.
    ("max", Kind.REAL): "arith.maximumf",
    ("min", Kind.REAL): "arith.minimumf",
    ("add", Kind.COMPLEX): "complex.add",
    ("sub", Kind.COMPLEX): "complex.sub",
    ("mul", Kind.COMPLEX): "complex.mul",
    ("div", Kind.COMPLEX): "complex.div",
    ("and", Kind.BOOL): "arith.andi",
    ("or", Kind.BOOL): "arith.ori",
}
_SIGNED = {"lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge", "eq": "eq", "ne": "ne"}
# Ordered, but `ne` holds of NaN.
_FLOAT = {"lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge", "eq": "oeq", "ne": "une"}
_COMPLEX = {"eq": "complex.eq", "ne": "complex.neq"}


def compare(op: str, element: Element) -> str:
    if element.is_complex:
        return _COMPLEX[op]
    if element.is_float:
        return f"arith.cmpf {_FLOAT[op]},"
    return f"arith.cmpi {_SIGNED[op]},"


def unary(body: Body, node: typed.Unary, operand: str, name: str) -> str:
    element, span = node.operand.element, node.span
    if node.op == "not":
        true = body.constant(True, Element.BOOL, span)
        return body.op(f"arith.xori {operand}, {true} : i1", span, name)
    if node.op == "neg" and element.is_int:
        zero = body.constant(0, element, span)
        return body.op(f"arith.subi {zero}, {operand} : {element.mlir}", span, name)
    if node.op in ("real", "imag"):
        part = "re" if node.op == "real" else "im"
        return body.op(f"complex.{part} {operand} : {element.mlir}", span, name)
    if node.op == "abs2":
        if element.is_complex:
            return _abs2(body, operand, element, span, name)
        op = "arith.muli" if element.is_int else "arith.mulf"
        return body.op(f"{op} {operand}, {operand} : {element.mlir}", span, name)
    if node.op == "abs" and not element.is_complex:
        op = "math.absi" if element.is_int else "math.absf"
        return body.op(f"{op} {operand} : {element.mlir}", span, name)
    if node.op == "neg" and element.is_float:
        return body.op(f"arith.negf {operand} : {element.mlir}", span, name)
    dialect = "complex" if element.is_complex else "math"
    return body.op(f"{dialect}.{node.op} {operand} : {element.mlir}", span, name)


def _abs2(body: Body, z: str, element: Element, span: Span, name: str) -> str:
    part = element.real.mlir
    re, im = _parts(body, z, element, span)
    re2 = body.op(f"arith.mulf {re}, {re} : {part}", span)
    im2 = body.op(f"arith.mulf {im}, {im} : {part}", span)
    return body.op(f"arith.addf {re2}, {im2} : {part}", span, name)


def _parts(body: Body, z: str, element: Element, span: Span) -> tuple[str, str]:
    re = body.op(f"complex.re {z} : {element.mlir}", span)
    im = body.op(f"complex.im {z} : {element.mlir}", span)
    return re, im


def _join(body: Body, re: str, im: str, element: Element, span: Span, name: str) -> str:
    return body.op(f"complex.create {re}, {im} : {element.mlir}", span, name)


def binary(body: Body, node: typed.Binary, left: str, right: str, name: str) -> str:
    element, span = node.element, node.span
    if node.op == "complex":
        return _join(body, left, right, element, span, name)
    if node.left.element is not node.right.element:
        return _scaled(body, node, left, right, name)
    if (bits := _bits_of_divisor(node)) is not None:
        amount = bits if node.op == "floordiv" else 2**bits - 1
        cheap = "arith.shrsi" if node.op == "floordiv" else "arith.andi"
        right = body.constant(amount, element, span)
        return body.op(f"{cheap} {left}, {right} : {element.mlir}", span, name)
    if node.op == "mod" and element.is_int:
        return _integer_mod(body, node, left, right, name)
    if node.op in ("floordiv", "mod") and element.is_float:
        return _real_floor(body, node, left, right, name)
    op = _SAME_TYPE.get((node.op, element.kind))
    if op is None:
        raise CompilerBug(f"{span}: {node.op} of {element}", stage="lowering")
    return body.op(f"{op} {left}, {right} : {element.mlir}", span, name)


def _bits_of_divisor(node: typed.Binary) -> int | None:
    """By a power of two known here: how many bits an integer's quotient, rounded down, leaves out
    and its remainder keeps."""
    if node.op not in ("floordiv", "mod") or not node.element.is_int:
        return None
    if not isinstance(node.right, typed.Constant):
        return None
    divisor = int(node.right.value.real)
    return divisor.bit_length() - 1 if divisor > 0 and divisor & (divisor - 1) == 0 else None


def _scaled(body: Body, node: typed.Binary, left: str, right: str, name: str) -> str:
    """Complex by real, part by part: no product with a zero part, no spurious NaN."""
    op, span = {"mul": "arith.mulf", "div": "arith.divf"}[node.op], node.span
    if not node.left.element.is_complex:
        left, right = right, left
    part = node.element.real.mlir
    re, im = _parts(body, left, node.element, span)
    re = body.op(f"{op} {re}, {right} : {part}", span)
    im = body.op(f"{op} {im}, {right} : {part}", span)
    return _join(body, re, im, node.element, span, name)


def _integer_mod(body: Body, node: typed.Binary, left: str, right: str, name: str) -> str:
    """The remainder with the divisor's sign, from the one with the dividend's."""
    element, span = node.element, node.span
    kind = element.mlir
    zero = body.constant(0, element, span)
    rest = body.op(f"arith.remsi {left}, {right} : {kind}", span)
    moved = body.op(f"arith.addi {rest}, {right} : {kind}", span)
    if isinstance(node.right, typed.Constant) and node.right.value.real > 0:
        wrong = body.op(f"arith.cmpi slt, {rest}, {zero} : {kind}", span)
    else:
        signs = body.op(f"arith.xori {rest}, {right} : {kind}", span)
        differ = body.op(f"arith.cmpi slt, {signs}, {zero} : {kind}", span)
        some = body.op(f"arith.cmpi ne, {rest}, {zero} : {kind}", span)
        wrong = body.op(f"arith.andi {differ}, {some} : i1", span)
    return body.op(f"arith.select {wrong}, {moved}, {rest} : {kind}", span, name)


def _real_floor(body: Body, node: typed.Binary, left: str, right: str, name: str) -> str:
    """`%` has the divisor's sign; `//` is (x - the remainder with x's sign) / y, one less where the
    signs differ, rounded to the integer it is next to: so are quotients by infinity, as NumPy's."""
    element, span = node.element, node.span
    kind = element.mlir
    zero = body.constant(0.0, element, span)
    rest = body.op(f"arith.remf {left}, {right} : {kind}", span)
    below = body.op(f"arith.cmpf olt, {rest}, {zero} : {kind}", span)
    divisor_below = body.op(f"arith.cmpf olt, {right}, {zero} : {kind}", span)
    differ = body.op(f"arith.xori {below}, {divisor_below} : i1", span)
    some = body.op(f"arith.cmpf one, {rest}, {zero} : {kind}", span)
    wrong = body.op(f"arith.andi {differ}, {some} : i1", span)
    if node.op == "mod":
        moved = body.op(f"arith.addf {rest}, {right} : {kind}", span)
        mod = body.op(f"arith.select {wrong}, {moved}, {rest} : {kind}", span)
        # An exact multiple leaves a zero with the divisor's sign.
        signed = body.op(f"math.copysign {zero}, {right} : {kind}", span)
        exact = body.op(f"arith.cmpf oeq, {rest}, {zero} : {kind}", span)
        return body.op(f"arith.select {exact}, {signed}, {mod} : {kind}", span, name)
    multiple = body.op(f"arith.subf {left}, {rest} : {kind}", span)
    towards_zero = body.op(f"arith.divf {multiple}, {right} : {kind}", span)
    one = body.constant(1.0, element, span)
    less = body.op(f"arith.subf {towards_zero}, {one} : {kind}", span)
    near = body.op(f"arith.select {wrong}, {less}, {towards_zero} : {kind}", span)
    whole = body.op(f"math.roundeven {near} : {kind}", span)
    if isinstance(node.right, typed.Constant) and node.right.value:
        return whole
    quotient = body.op(f"arith.divf {left}, {right} : {kind}", span)
    by_zero = body.op(f"arith.cmpf oeq, {right}, {zero} : {kind}", span)
    return body.op(f"arith.select {by_zero}, {quotient}, {whole} : {kind}", span, name)


def power(body: Body, node: typed.Power, base: str, name: str) -> str:
    """By repeated squaring; a negative exponent is the reciprocal of the positive power."""
    element, span = node.element, node.span
    mul = _SAME_TYPE["mul", element.kind]

    def times(a: str, b: str, label: str = "") -> str:
        return body.op(f"{mul} {a}, {b} : {element.mlir}", span, label)

    exponent = abs(node.exponent)
    label = name if node.exponent > 0 else ""
    result, square = "", base
    while True:
        if exponent & 1:
            last = exponent == 1
            result = times(result, square, label if last else "") if result else square
        exponent >>= 1
        if not exponent:
            break
        # The last squaring of a power of two is the result itself.
        square = times(square, square, label if exponent == 1 and not result else "")
    if node.exponent > 0:
        return result
    one = body.constant(1.0, element, span)
    div = _SAME_TYPE["div", element.kind]
    return body.op(f"{div} {one}, {result} : {element.mlir}", span, name)


def cast(body: Body, value: str, old: Element, new: Element, span: Span, name: str) -> str:
    if old is new:
        return value
    if new.is_complex:
        if old.is_complex:
            re, im = _parts(body, value, old, span)
            re = cast(body, re, old.real, new.real, span, "")
            im = cast(body, im, old.real, new.real, span, "")
        else:
            re = cast(body, value, old, new.real, span, "")
            im = body.constant(0.0, new.real, span)
        return _join(body, re, im, new, span, name)
    op = _conversion(old, new)
    if op is None:
        raise CompilerBug(f"{span}: {old} to {new}", stage="lowering")
    return body.op(f"{op} {value} : {old.mlir} to {new.mlir}", span, name)


def _conversion(old: Element, new: Element) -> str | None:
    wider = new.bytes > old.bytes
    return {
        (Kind.BOOL, Kind.INT): "arith.extui",
        (Kind.BOOL, Kind.REAL): "arith.uitofp",
        (Kind.INT, Kind.INT): "arith.extsi" if wider else "arith.trunci",
        (Kind.INT, Kind.REAL): "arith.sitofp",
        (Kind.REAL, Kind.INT): "arith.fptosi",
        (Kind.REAL, Kind.REAL): "arith.extf" if wider else "arith.truncf",
    }.get((old.kind, new.kind))
