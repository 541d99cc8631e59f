# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The typed AST: a small core language that a checked, instantiated program becomes.

    module    = kernel*                      callees before callers; the last one is the entry
    kernel    = inputs, outputs, statement*
    statement = table | twiddle | dft | transpose | reshape | map | call | insert | for
              | checked indices | scatter | winograd transform | conv
              | alltoall | allreduce | allgather | own         collectives, of a kernel over groups
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
`span` never takes part in equality. Values, indices and scalars are in `typed_scalars`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from weft.diagnostics import Span
from weft.semantics.typed_scalars import (
    Affine,
    Binary,
    Cast,
    Compare,
    Constant,
    Index,
    IndexValue,
    Local,
    Loop,
    Power,
    Read,
    ReadAt,
    Reduce,
    Scalar,
    Select,
    Unary,
    Value,
)

if TYPE_CHECKING:
    import numpy as np

__all__ = [
    "Affine",
    "Allgather",
    "Allreduce",
    "Alltoall",
    "Binary",
    "Call",
    "Carry",
    "Cast",
    "CheckedIndices",
    "Compare",
    "Constant",
    "Conv",
    "ConvTransform",
    "Dft",
    "For",
    "Index",
    "IndexValue",
    "Insert",
    "Kernel",
    "Local",
    "Loop",
    "Map",
    "Module",
    "Own",
    "Power",
    "Read",
    "ReadAt",
    "Reduce",
    "Reshape",
    "Result",
    "Scalar",
    "Scatter",
    "Select",
    "Statement",
    "Store",
    "Table",
    "Transpose",
    "Twiddle",
    "Unary",
    "Value",
    "WinogradTransform",
]


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
    """The same elements in row-major order under the target's shape.

    A complex element is its two parts side by side: pairs of real ones may become complex and back.
    """

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
    """Winograd's F(m, r) at the convolution's stride, in its real type."""

    m: int
    r: int
    AT: np.ndarray = field(compare=False, repr=False)
    G: np.ndarray = field(compare=False, repr=False)
    BT: np.ndarray = field(compare=False, repr=False)


@dataclass(frozen=True)
class Conv:
    """Cross-correlation of images x with filters g [K, C//groups, R, S], or of one or three
    dimensions alike.

    target[n, k, h, w] = sum(g[k, c, r, s] * padded[n, k*groups//K*(C//groups) + c, h*stride[0] + r,
    w*stride[1] + s] for c, r, s); `padded` is x with pad[0] zeros above and below and pad[1] to the
    left and right. All three have one element type, real or complex.
    algorithm: direct; winograd, by the one entry of `transforms`; auto, any of both by cost.
    layout, out_layout: in which order x and target are kept; the indices above are those of nchw.
    """

    target: Value
    x: Value
    g: Value
    pad: tuple[int, ...]
    stride: tuple[int, ...]
    groups: int
    algorithm: str
    transforms: tuple[ConvTransform, ...]
    layout: str
    out_layout: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Alltoall:
    """Each group cuts its source into equal parts along `split`, and gives part g to group g; what
    it gets is put together along `concat`, in the order of the groups."""

    target: Value
    source: Value
    split: int
    concat: int
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Allreduce:
    """The sources of all groups combined element by element, in the order of the groups; each group
    gets the same. op: add mul (numbers), max min (integers and reals, NaN wins)."""

    target: Value
    source: Value
    op: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Allgather:
    """The sources of all groups, put together along `axis` in the order of the groups."""

    target: Value
    source: Value
    axis: int
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Own:
    """Part g of the source, in group g: equal parts along `axis`. Nothing is sent."""

    target: Value
    source: Value
    axis: int
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
    """target = `into` with what is at `indices` replaced by the value `part`.

    None stands for a whole dimension: the part has those, and is a scalar where there is none.
    """

    target: Value
    into: Value
    indices: tuple[Affine | None, ...]
    part: Value
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
    | Alltoall
    | Allreduce
    | Allgather
    | Own
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
    directives: tuple[str, ...] = ()
    """Of the schedule that made it so, as a person writes them."""
    places: tuple[Span, ...] = field(default=(), compare=False, repr=False)
    """Where each of them stands."""
    unroll: int | None = None
    """Copies of innermost bodies where this is the entry; None: chosen by cost."""
    complex_form: str | None = None
    """How vectors hold complex numbers where this is the entry; None: chosen by cost."""
    exchange: int | None = None
    """Elements of the runs of main memory that cores reach by exchanging what is in them, where
    this is the entry; None: chosen by cost."""
    split: int | None = None
    """Cores of a row that share a line that none has room for, where this is the entry; None:
    chosen by cost."""
    order: str | None = None
    """What instructions are ordered by where this is the entry; None: chosen by cost."""
    asked: tuple[str, ...] = ()
    """Directives that passes read as they are written, where this is the entry."""
    groups: int | None = None
    """Of a kernel over groups: how many run it, each on values of its own; None: it is no such."""

    def arranged(self, value: Value) -> tuple[int, ...]:
        """The shape of an input or output as the caller sees it: over groups, that of all groups,
        one behind the other."""
        return value.type.shape if self.groups is None else (self.groups, *value.type.shape)


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
