# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`roll(x, shift, axis=|axes=)`: reads at shifted places, which wrap around."""

from __future__ import annotations

from math import prod

from weft.diagnostics import Span
from weft.semantics import typed
from weft.semantics.arguments import read_axes
from weft.semantics.context import Context
from weft.semantics.indices import AffineIndex, affine
from weft.semantics.operand import Indices, Operand, materialise, scalar, tensor
from weft.semantics.sizes import Size, equal, size
from weft.semantics.sizing import read_size
from weft.semantics.subscript import read_copy
from weft.semantics.types import Element
from weft.syntax import ast


def roll(ctx: Context, node: ast.Call, operand: Operand) -> Operand:
    """Element i of the result is element (i - shift) % n of x; without an axis, x as one line."""
    axes = read_axes(ctx, node, operand)
    written = node.arguments[1]
    several = isinstance(written, ast.List)
    listed = written.elements if isinstance(written, ast.List) else (written,)
    shifts = [read_size(ctx, e) for e in listed]
    if not operand.shape:
        # W311
        ctx.fail(
            operand.span,
            "W311",
            "'roll' of a scalar",
            expected="a tensor",
            found=operand.described,
        )
    count = 1 if axes is None else len(axes)
    if several and len(shifts) != count:
        # W613
        ctx.fail(
            written.span,
            "W613",
            "there is one shift for each axis",
            expected=f"{count}, or one number for all axes",
            found=f"{len(shifts)} in the list",
        )
    if axes is None and len(operand.shape) > 1:
        return _flat(ctx, node, operand, shifts[0])
    chosen = axes or [0]
    return _rolled(
        ctx, operand, dict(zip(chosen, shifts * (1 if several else count), strict=True)), node.span
    )


def _rolled(ctx: Context, operand: Operand, shifts: dict[int, Size], span: Span) -> Operand:
    result = Operand(operand.kind, operand.element, operand.shape, span, free=operand.free)

    def build(indices: Indices, want: Element) -> typed.Scalar:
        own = list(indices)
        for axis, shift in shifts.items():
            moved = _moved(own[axis], shift, operand.shape[axis])
            if moved is None:
                # A remainder of a remainder is no index: copy the result first.
                return read_copy(ctx, result, indices, want)
            own[axis] = moved
        return scalar(ctx, operand, tuple(own), want)

    result.build = build
    return result


def _moved(index: AffineIndex, shift: Size, extent: Size) -> AffineIndex | None:
    """(index - shift) % extent."""
    if index.modulus is not None and equal(index.modulus, extent) is not True:
        return None
    if equal(shift.mod(extent), size(0)) is True:
        return index
    return affine(index.terms, index.constant - shift, extent)


def _flat(ctx: Context, node: ast.Call, operand: Operand, shift: Size) -> Operand:
    """Of all elements in row-major order, as NumPy does without an axis."""
    span, shape = node.span, operand.shape
    count = size(prod(s.concrete for s in shape))

    def reshaped(source: typed.Value, into: tuple[Size, ...], name: str) -> typed.Value:
        target = ctx.value(name, source.type.element, into, span)
        ctx.block.append(typed.Reshape(target, source, span))
        return target

    def produce(element: Element, name: str, _span: Span) -> typed.Value:
        line = reshaped(materialise(ctx, operand, element), (count,), "")
        rolled = _rolled(ctx, tensor(line, (count,), span), {0: shift}, span)
        return reshaped(materialise(ctx, rolled, element), shape, name)

    return Operand(operand.kind, operand.element, shape, span, None, produce, free=operand.free)
