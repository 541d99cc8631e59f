# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The typed AST below its statements: values, indices, scalars. Part of `typed`, which see."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from weft.diagnostics import Span
from weft.semantics.types import Element, TensorType

# ---------------------------------------------------------------------------------------- values


@dataclass(frozen=True)
class Value:
    """A tensor with a name. `id` is unique within its kernel.

    `name` is the user's name, or `""` for a temporary. Several values may share a name: the steps
    of a tensor built by several nests, and the carried value of a loop before, in and after it.
    """

    id: int
    name: str
    type: TensorType
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Index:
    """An index variable of a map, a reduction or a `for` over time. Unique `id` in its kernel."""

    id: int
    name: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Loop:
    """`index` runs over lower, lower+1, ..., upper-1. Never empty."""

    index: Index
    lower: int
    upper: int

    @property
    def extent(self) -> int:
        return self.upper - self.lower


@dataclass(frozen=True)
class Affine:
    """sum(coefficient * index) + constant, then reduced to 0..modulus-1 if there is a modulus.

    The modulus is positive and the remainder is never negative (as `affine_map`'s `mod`).
    Terms are sorted by index id, have distinct indices and non-zero coefficients.
    Proven to lie within the dimension it indexes.
    """

    terms: tuple[tuple[Index, int], ...] = ()
    constant: int = 0
    modulus: int | None = None


# --------------------------------------------------------------------------------------- scalars


@dataclass(frozen=True)
class Constant:
    """A number, already rounded to `element`; bool, int, float or complex accordingly."""

    value: bool | int | float | complex
    element: Element
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class IndexValue:
    """The value of an index expression as a number of type `element`, which is i64."""

    index: Affine
    element: Element
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Read:
    """Element of `value` at `indices`, one per dimension (none for a scalar value)."""

    value: Value
    indices: tuple[Affine, ...]
    span: Span = field(compare=False, repr=False)

    @property
    def element(self) -> Element:
        return self.value.type.element


@dataclass(frozen=True)
class ReadAt:
    """Element of `value` at a place that data says; at least one index is a scalar.

    Each scalar index is an integer read from the target of a `CheckedIndices` whose `below` is at
    most the extent of that dimension.
    """

    value: Value
    indices: tuple[Affine | Scalar, ...]
    span: Span = field(compare=False, repr=False)

    @property
    def element(self) -> Element:
        return self.value.type.element


@dataclass(frozen=True, eq=False)
class Local:
    """A name for a scalar that a map computes at each point: `t = x[i] * 2` in an element loop.

    Compared by identity: locals that use one another would make equality and hashes exponential.
    """

    id: int
    name: str
    value: Scalar
    span: Span = field(compare=False, repr=False)

    @property
    def element(self) -> Element:
        return self.value.element


@dataclass(frozen=True)
class Unary:
    """`op` of one operand.

    neg: any number. not: bool. abs: integers and reals. exp log sin cos tanh sqrt: reals and
    complex. conj: complex. These keep the element type.
    real imag abs2 abs angle: of a complex operand, give its real type (abs2(z) = re*re + im*im).
    abs2 of a real or an integer is x*x and keeps the type.
    """

    op: str
    operand: Scalar
    element: Element
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Binary:
    """`op` of two operands of the same element type, which is the result's.

    add sub mul: numbers. div: reals and complex (true division). floordiv mod: integers and reals,
    rounding toward minus infinity as Python and NumPy do. pow: reals. max min: integers and reals
    (NaN wins). and or: bool. complex: of two reals, the number with these parts.
    Exception: in `mul` one operand, and in `div` the right one, may be of the real type of the
    complex other; then the operation is done on both parts (no product with a zero part).
    """

    op: str
    left: Scalar
    right: Scalar
    element: Element
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Compare:
    """lt le gt ge eq ne of operands of one element type; complex and bool have only eq and ne."""

    op: str
    left: Scalar
    right: Scalar
    element: Element
    """Always bool."""
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Select:
    """`then` where the bool `condition` holds, else `other`; both have the result's type.

    Neither side has effects, so both may be computed.
    """

    condition: Scalar
    then: Scalar
    other: Scalar
    element: Element
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Power:
    """`base` to a constant integer power, by repeated multiplication.

    exponent >= 2, or <= -1 for reals and complex only (the reciprocal of the positive power).
    """

    base: Scalar
    exponent: int
    element: Element
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Cast:
    """The operand as another element type.

    Between integers, integers to reals, between real precisions, between complex precisions, real
    to complex (zero imaginary part), reals to integers (toward zero), bool to any number (0 or 1).
    """

    operand: Scalar
    element: Element
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Reduce:
    """sum, prod, max or min of `body` over the box of `loops` (at least one, none empty)."""

    kind: str
    loops: tuple[Loop, ...]
    body: Scalar
    element: Element
    span: Span = field(compare=False, repr=False)


Scalar: TypeAlias = (
    Constant
    | IndexValue
    | Read
    | ReadAt
    | Local
    | Unary
    | Binary
    | Compare
    | Select
    | Power
    | Cast
    | Reduce
)
