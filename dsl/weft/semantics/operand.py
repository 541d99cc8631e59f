# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checked expressions: a type, a shape, and how to build the scalar at an element.

An operand without an element type is weak: a literal, a constant, a table, an index. It takes the
type of what it meets; only then is it rounded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from weft.diagnostics import Span
from weft.semantics import consts, typed, winograd_points
from weft.semantics.context import Context
from weft.semantics.indices import (
    AffineIndex,
    IndexVariable,
    constant_index,
    variable_index,
)
from weft.semantics.sizes import Size, equal, shape_text, size
from weft.semantics.types import DEFAULT_ELEMENT, Element, Kind

Indices = tuple[AffineIndex, ...]
Builder = Callable[[Indices, Element], typed.Scalar]
Producer = Callable[[Element, str, Span], typed.Value]

NOT_CONSTANT = object()
UNKNOWN = None
"""The value of a constant that depends on sizes without values."""


@dataclass(frozen=True)
class MatrixOf:
    """`t.BT`: rounded once, to the type of what it meets. No matrix where sizes are not known."""

    exact: winograd_points.Matrix | None
    shape: tuple[Size, Size]

    def rounded(self, element: Element) -> np.ndarray:
        if self.exact is None:
            return np.zeros((1, 1), element.numpy)
        return winograd_points.rounded(self.exact, element)


@dataclass(eq=False)
class Operand:
    """A checked expression.

    `build` gives the scalar at an element, of the operand's element type, or for a weak operand of
    any type asked for. `produce`, where there is one, makes the whole tensor by a statement of its
    own; `build` then reads that. `free` holds the map variables and locals it depends on.
    """

    kind: Kind
    element: Element | None
    shape: tuple[Size, ...]
    span: Span
    build: Builder | None = None
    produce: Producer | None = None
    constant: Any = NOT_CONSTANT
    free: frozenset[Any] = frozenset()
    made: dict[Element, typed.Value] = field(default_factory=dict)
    in_prelude: bool = False
    """`produce` makes a table at the head of the kernel, which every statement may read."""
    matrix: MatrixOf | None = None
    """The matrix of a Winograd family that this is, named by the user."""

    @property
    def is_constant(self) -> bool:
        return self.constant is not NOT_CONSTANT

    @property
    def default(self) -> Element:
        """Its element type where nothing else decides."""
        return self.element or DEFAULT_ELEMENT[self.kind]

    @property
    def described(self) -> str:
        """Type for messages."""
        words = {Kind.INT: "integer", Kind.REAL: "real", Kind.COMPLEX: "complex", Kind.BOOL: "bool"}
        name = str(self.element) if self.element else f"{words[self.kind]} literal"
        return f"{name}{shape_text(self.shape)}" if self.shape else name


def weak(kind: Kind, value: Any, span: Span) -> Operand:
    """A scalar constant."""
    return Operand(kind, None, (), span, constant=value)


def tensor(value: typed.Value, shape: tuple[Size, ...], span: Span) -> Operand:
    """A whole value that exists."""
    element = value.type.element

    def produce(_element: Element, _name: str, _span: Span) -> typed.Value:
        return value

    return Operand(element.kind, element, shape, span, None, produce)


def scalar(ctx: Context, operand: Operand, indices: Indices, want: Element) -> typed.Scalar:
    """The element of an operand at `indices`, as an element type its kind goes into."""
    if operand.is_constant:
        return constant_scalar(ctx, operand, want)
    own = operand.element
    if own is None:
        own = want
        if want.is_complex and operand.kind is not Kind.COMPLEX:
            own = want.real
        if operand.kind is Kind.BOOL:
            own = Element.BOOL
    built = _built(operand, indices, own)
    return converted(built, want, operand.span)


def converted(part: typed.Scalar, want: Element, span: Span) -> typed.Scalar:
    """The scalar as another type, in the steps that `typed.Cast` has."""
    if part.element is want:
        return part
    if want.is_complex and not part.element.is_complex and part.element is not want.real:
        part = typed.Cast(part, want.real, span)
    return typed.Cast(part, want, span)


def _built(operand: Operand, indices: Indices, own: Element) -> typed.Scalar:
    if operand.produce is None:
        assert operand.build is not None
        return operand.build(indices, own)
    value = produced(operand, own, "", operand.span)
    return typed.Read(value, tuple(i.typed() for i in indices), operand.span)


def constant_scalar(ctx: Context, operand: Operand, want: Element) -> typed.Scalar:
    if operand.constant is UNKNOWN:
        zero = complex(0) if want.is_complex else (0.0 if want.is_float else 0)
        return typed.Constant(zero, want, operand.span)
    try:
        return typed.Constant(consts.rounded(operand.constant, want), want, operand.span)
    except consts.ConstantError as error:
        ctx.fail(operand.span, "W702", str(error), expected="a finite number within its type")


def produced(operand: Operand, element: Element, name: str, span: Span) -> typed.Value:
    """The value of an operand that has a statement of its own, made once for each type."""
    assert operand.produce is not None
    value = operand.made.get(element)
    if value is None:
        value = operand.made[element] = operand.produce(element, name, span)
    return value


def materialise(
    ctx: Context, operand: Operand, element: Element, name: str = "", span: Span | None = None
) -> typed.Value:
    """The whole operand as a value of the element type; W312 where it depends on an index."""
    place = span or operand.span
    require_whole(ctx, operand)
    if operand.produce is not None and operand.element in (None, element):
        return produced(operand, element, name, place)
    return make_map(ctx, operand, element, name, place)


def require_whole(ctx: Context, operand: Operand) -> None:
    """W312: what a built-in of whole tensors takes is the same for all index variables."""
    if operand.free:
        names = sorted(v.name for v in operand.free)
        # W312
        ctx.fail(
            operand.span,
            "W312",
            "this must be a whole tensor, the same for all indices",
            found=f"it depends on '{names[0]}'",
            help="compute it before the loop, or for all indices at once",
        )


def make_map(
    ctx: Context, operand: Operand, element: Element, name: str, span: Span
) -> typed.Value:
    """A map that computes every element of the operand."""
    variables = tuple(axis_variable(ctx, a, n, span) for a, n in enumerate(operand.shape))
    indices = tuple(variable_index(v) for v in variables)
    body = scalar(ctx, operand, indices, element)
    target = ctx.value(name, element, operand.shape, span)
    store = typed.Store(0, tuple(i.typed() for i in indices), body, span)
    loops = tuple(v.loop() for v in variables)
    result = typed.Result(target, None, True)
    ctx.block.append(typed.Map(loops, (), (store,), (result,), span))
    return target


def axis_variable(ctx: Context, axis: int, extent: Size, span: Span) -> IndexVariable:
    """A variable over a whole axis, for what the user wrote without indices."""
    return IndexVariable(typed.Index(ctx.fresh(), f"i{axis}", span), size(0), extent)


def broadcast(ctx: Context, operands: list[Operand], span: Span) -> tuple[Size, ...]:
    """W301: the common shape."""
    shape: list[Size] = []
    for place in range(1, max(len(o.shape) for o in operands) + 1):
        extent: Size | None = None
        for operand in operands:
            if place > len(operand.shape):
                continue
            own = operand.shape[-place]
            if extent is None or extent.constant == 1:
                extent = own
            elif own.constant != 1 and equal(own, extent) is False:
                ctx.fail(
                    span,
                    "W301",
                    "shapes do not fit together",
                    expected="equal extents from the right, or an extent written as 1",
                    found=" and ".join(shape_text(o.shape) for o in operands if o.shape),
                    help=_stretching(operands),
                )
            elif extent.value is None and extent.constant is None and own.constant != 1:
                extent = own if own.constant is not None else extent
        assert extent is not None
        shape.append(extent)
    return tuple(reversed(shape))


def _stretching(operands: list[Operand]) -> str:
    """A way out where a shape is the beginning of another one: a value for each row."""
    for longer in operands:
        for own in operands:
            rank = len(own.shape)
            if not 0 < rank < len(longer.shape):
                continue
            pairs = zip(own.shape, longer.shape, strict=False)
            if all(equal(a, b) is True for a, b in pairs):
                ones = ["1"] * (len(longer.shape) - rank)
                extents = ", ".join([str(e) for e in own.shape] + ones)
                text = own.span.text if len(own.span.text) < 30 else "..."
                return f"one for each row: reshape({text}, [{extents}])"
    return ""


def aligned(operand: Operand, indices: Indices) -> Indices:
    """The indices of a broadcast operand: from the right, 0 where its extent is written as 1."""
    rank = len(operand.shape)
    own = indices[len(indices) - rank :] if rank else ()
    return tuple(
        constant_index(size(0)) if extent.constant == 1 else index
        for extent, index in zip(operand.shape, own, strict=True)
    )
