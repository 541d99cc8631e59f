# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The typed AST: a small core language that a checked, instantiated program becomes.

    module    = kernel*                      callees before callers; the last one is the entry
    kernel    = inputs, outputs, statement*
    statement = table | twiddle | dft | transpose | reshape | map | call | insert | for
              | checked indices | scatter | winograd transform | conv
    map       = loop*, local*, store*, result*      every element-wise thing: expressions, index
                                                    notation, element loops, slices, reductions
    scalar    = constant | index value | read | read at | local | unary | binary | compare
              | select | power | cast | reduce
    index     = affine | affine % n

Every size is a concrete integer. Every statement defines new values (`Value`), each exactly once
and before its uses; names are the user's where there is one. Broadcasting, slices, whole-tensor
reductions and weak literals are gone: a map's scalars say which element is read, and both
operands of an operation have the same element type (the one exception is stated at `Binary`).
All nodes are immutable. Scalars form a DAG: a node may be shared by several parents.
`span` never takes part in equality.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from weft.diagnostics import Span
from weft.semantics.types import Element, TensorType

if TYPE_CHECKING:
    import numpy as np


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

    neg: any number. not: bool. abs: integers and reals. exp sin cos sqrt: reals and complex.
    conj: complex. These keep the element type.
    real imag abs2 abs: of a complex operand, give its real type (abs2(z) = re*re + im*im).
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


# ------------------------------------------------------------------------------------ statements


@dataclass(frozen=True)
class Table:
    """A constant tensor. `data` has the target's dtype and shape, is rounded once, read-only."""

    target: Value
    data: np.ndarray = field(compare=False, repr=False)
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Twiddle:
    """target[k, n] = exp(sign * 2*pi*i * k * n / (rows * columns)), shape (rows, columns)."""

    target: Value
    rows: int
    columns: int
    sign: int
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Dft:
    """Discrete Fourier transform of a complex tensor along `axes`, in that order, same shape.

    y[k] = scale * sum(x[n] * exp(sign*2*pi*i*k*n/N) for n); `scale` is applied once for the whole
    statement (for idft it is 1/product of the transformed extents), None means 1.
    `radices` (one axis only) multiply to the extent, or is empty: the compiler chooses.
    """

    target: Value
    source: Value
    axes: tuple[int, ...]
    sign: int
    scale: float | None
    radices: tuple[int, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Transpose:
    """Dimension i of the target is dimension permutation[i] of the source."""

    target: Value
    source: Value
    permutation: tuple[int, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Reshape:
    """The same elements in row-major order under the target's shape."""

    target: Value
    source: Value
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class CheckedIndices:
    """target = source, an integer tensor, after a check that all its elements are in 0..below-1.

    Where one is not, the entry ends with a fault: `code`, from 1, is unique in the module. `what`
    is the expression of the source that reads or writes at these places.
    """

    target: Value
    source: Value
    below: int
    code: int
    what: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Scatter:
    """target = base; then for j in row-major order of the indices' box:
    target[indices[j], ...] = target[indices[j], ...] op updates[j, ...].

    op: add mul (numbers), max min (integers and reals, NaN wins), set (the last one stays).
    `indices` is the target of a `CheckedIndices` for the base's first extent; the updates have the
    shape of the indices followed by the base's other extents, and the base's element type.
    """

    target: Value
    base: Value
    indices: Value
    updates: Value
    op: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class WinogradTransform:
    """target[.., i, ..] = sum(matrix[i, j] * source[.., j, ..] for j), i and j on `axis`.

    Entries that are zero take no part: there is no 0 * inf. `matrix` has the target's real type,
    the source the target's type; both are real or complex.
    """

    target: Value
    source: Value
    axis: int
    matrix: np.ndarray = field(compare=False, repr=False)
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class ConvTransform:
    """Winograd's F(m, r), in the real type of the convolution it serves."""

    m: int
    r: int
    AT: np.ndarray = field(compare=False, repr=False)
    G: np.ndarray = field(compare=False, repr=False)
    BT: np.ndarray = field(compare=False, repr=False)


@dataclass(frozen=True)
class Conv:
    """Cross-correlation of images x [N, C, H, W] with filters g [K, C//groups, R, S].

    target[n, k, h, w] = sum(g[k, c, r, s] * padded[n, k*groups//K*(C//groups) + c, h*stride[0] + r,
    w*stride[1] + s] for c, r, s); `padded` is x with pad[0] zeros above and below and pad[1] to the
    left and right. All three have one element type, real or complex.
    algorithm: direct; winograd, by the one entry of `transforms`; auto, any of both by cost.
    """

    target: Value
    x: Value
    g: Value
    pad: tuple[int, int]
    stride: tuple[int, int]
    groups: int
    algorithm: str
    transforms: tuple[ConvTransform, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Store:
    """At each point of the map's box, element `indices` of result number `result` is `value`."""

    result: int
    indices: tuple[Affine, ...]
    value: Scalar
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Result:
    """A tensor that a map defines.

    `complete`: the stores give every element exactly once (proven) and `init` is None.
    Otherwise the elements not stored are those of `init`; where `init` is None they are
    undefined, and later statements give them before anything reads them (proven).
    """

    target: Value
    init: Value | None
    complete: bool


@dataclass(frozen=True)
class Map:
    """For each point of the box of `loops` (rank 0: one point), compute locals, do the stores.

    Points may be computed in any order. Scalars read only values defined before the map.
    `locals` are in order: a local uses only locals before it. A store's value or a local appears
    as a `Local` node wherever it is used.
    """

    loops: tuple[Loop, ...]
    locals: tuple[Local, ...]
    stores: tuple[Store, ...]
    results: tuple[Result, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Call:
    """targets = kernel(arguments): one target per output of the kernel named (`Kernel.name`)."""

    targets: tuple[Value, ...]
    kernel: str
    arguments: tuple[Value, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Insert:
    """target = `into` with the element at `indices` replaced by the scalar value `element`."""

    target: Value
    into: Value
    indices: tuple[Affine, ...]
    element: Value
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Carry:
    """A value that goes round a `For`, all four of one type.

    inside = initial (before the first iteration; None: undefined elements, all given by the loop);
    at the end of each iteration `inside` becomes `next`; after the loop the value is `result`.
    """

    initial: Value | None
    inside: Value
    next: Value
    result: Value


@dataclass(frozen=True)
class For:
    """`loop.index` runs in order; the body sees it in `Affine` terms."""

    loop: Loop
    carries: tuple[Carry, ...]
    body: tuple[Statement, ...]
    span: Span = field(compare=False, repr=False)


Statement: TypeAlias = (
    Table
    | Twiddle
    | Dft
    | Transpose
    | Reshape
    | Map
    | Call
    | Insert
    | For
    | CheckedIndices
    | Scatter
    | WinogradTransform
    | Conv
)


@dataclass(frozen=True)
class Kernel:
    """One instance of a kernel or program. `name` is unique in the module.

    `source_name` is the name in the source.

    `outputs` pairs the name in the signature with the value that holds it at the end of the body
    (an input may be returned as it is).
    """

    name: str
    source_name: str
    is_program: bool
    sizes: tuple[tuple[str, int], ...]
    inputs: tuple[Value, ...]
    outputs: tuple[tuple[str, Value], ...]
    body: tuple[Statement, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Module:
    """A program with concrete sizes. `kernels[-1]` is the entry; callees precede callers."""

    path: str
    kernels: tuple[Kernel, ...]

    @property
    def entry(self) -> Kernel:
        return self.kernels[-1]

    def kernel(self, name: str) -> Kernel:
        return next(k for k in self.kernels if k.name == name)
