# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""dft, idft, twiddle, transpose, reshape: built-ins of whole tensors, each a statement."""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt, prod, sqrt

from weft.diagnostics import Span
from weft.semantics import typed
from weft.semantics.arguments import check_arguments, integers, keyword, read_axes
from weft.semantics.context import Context
from weft.semantics.long_primes import Transform, transform
from weft.semantics.operand import Operand, materialise
from weft.semantics.sizes import Size, equal, shape_text, size
from weft.semantics.sizing import read_extent, read_integer
from weft.semantics.types import Element, Kind
from weft.syntax import ast

# Butterflies go up to here, without primes beyond the second number; see factor-transform.
LARGEST_RADIX, LARGEST_PRIME = 96, 31


def dft(ctx: Context, node: ast.Call, operand: Operand) -> Operand:
    """`dft(x, axis=|axes=, sign=-1, norm=none, radices=)`; idft: sign +1, norm 1/n."""
    inverse = node.function.name == "idft"
    if operand.kind is not Kind.COMPLEX:
        # W205
        ctx.fail(
            operand.span,
            "W205",
            f"'{node.function.name}' takes complex elements",
            expected="c64 or c128",
            found=operand.described,
            help="of real elements: rfft(x), or make them complex: c128(x)",
        )
    rank = len(operand.shape)
    axes = read_axes(ctx, node, operand)
    if axes is None:
        if rank != 1:
            # W307
            ctx.fail(
                node.span,
                "W307",
                "which axis is to be transformed?",
                expected="axis= or axes=",
                found=operand.described,
                help=f"{node.function.name}(x, axis={max(rank - 1, 0)})" if rank else "",
            )
        axes = [0]
    sign = _sign(ctx, node, +1 if inverse else -1)
    chosen = tuple(axes)
    radices = _radices(ctx, node, operand, chosen)
    scale = _scale(ctx, node, operand, chosen, inverse)
    shape = operand.shape

    def produce(element: Element, name: str, span: Span) -> typed.Value:
        source = materialise(ctx, operand, element)
        wanted = Transform(source, chosen, sign, scale, node.span, radices)
        return transform(ctx, wanted, (name, span))

    return _statement(operand, operand.element, shape, node.span, produce)


def _statement(
    operand: Operand,
    element: Element | None,
    shape: tuple[Size, ...],
    span: Span,
    produce: Callable[[Element, str, Span], typed.Value],
) -> Operand:
    return Operand(operand.kind, element, shape, span, None, produce, free=operand.free)


def _sign(ctx: Context, node: ast.Call, default: int) -> int:
    given = keyword(node, "sign")
    if given is None:
        return default
    value = read_integer(ctx, given, "sign")
    if value not in (1, -1):
        # W613
        ctx.fail(given.span, "W613", "sign is +1 or -1", expected="+1 or -1", found=given.span.text)
    assert value is not None
    return value


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % p for p in range(2, isqrt(number) + 1))


def _is_radix(radix: int) -> bool:
    """Whether factor-transform has a stage for it: a codelet, or a large prime's convolution."""
    if radix <= LARGEST_RADIX:
        large = range(LARGEST_PRIME + 1, radix)
        return radix >= 2 and all(radix % p for p in large if _is_prime(p))
    return radix < 2**48 and _is_prime(radix)


def _radices(
    ctx: Context, node: ast.Call, operand: Operand, axes: tuple[int, ...]
) -> tuple[int, ...]:
    """W310"""
    given = keyword(node, "radices")
    if given is None:
        return ()
    if len(axes) != 1:
        ctx.fail(
            given.span,
            "W310",
            "radices are for one axis",
            expected="axis=",
            found=f"{len(axes)} axes",
        )
    radices = [r for r in integers(ctx, given, "radices") if r is not None]
    extent = operand.shape[axes[0]]
    product = prod(radices)
    wrong = [str(r) for r in radices if not _is_radix(r)]
    if wrong or equal(size(product), extent) is False or not radices:
        ctx.fail(
            given.span,
            "W310",
            "the radices do not make the transform",
            expected=f"radices (2 to {LARGEST_RADIX} without primes beyond {LARGEST_PRIME}, "
            f"or primes) whose product is {extent.shown}",
            found=" * ".join(map(str, radices))
            + f" = {product}"
            + (f"; {', '.join(wrong)}: no radix" if wrong else ""),
        )
    return tuple(radices)


def read_norm(ctx: Context, node: ast.Call, norm: str) -> str:
    """`norm=`: none, ortho or inverse; `norm` where it is not given."""
    given = keyword(node, "norm")
    if given is not None:
        norm = given.name if isinstance(given, ast.Name) else ""
    if norm not in ("none", "ortho", "inverse"):
        assert given is not None
        # W613
        ctx.fail(
            given.span,
            "W613",
            "there is no such norm",
            expected="none, ortho (1/sqrt(n)) or inverse (1/n)",
            found=given.span.text,
        )
    return norm


def _scale(
    ctx: Context, node: ast.Call, operand: Operand, axes: tuple[int, ...], inverse: bool
) -> float | None:
    norm = read_norm(ctx, node, "inverse" if inverse else "none")
    count = prod(operand.shape[a].concrete for a in axes)
    return {"none": None, "ortho": 1 / sqrt(count), "inverse": 1 / count}[norm]


def transpose(ctx: Context, node: ast.Call, operand: Operand) -> Operand:
    """`transpose(x, [1, 0])`; without a list the axes are reversed. W308."""
    rank = len(operand.shape)
    permutation = list(reversed(range(rank)))
    if len(node.arguments) > 1:
        given = integers(ctx, node.arguments[1], "a permutation")
        if sorted(a if a is not None else -1 for a in given) != list(range(rank)):
            ctx.fail(
                node.arguments[1].span,
                "W308",
                "this is no permutation of the axes",
                expected=f"each of 0 to {rank - 1} once" if rank else "no axis: it is a scalar",
                found=node.arguments[1].span.text,
            )
        permutation = [a for a in given if a is not None]
    shape = tuple(operand.shape[a] for a in permutation)

    def produce(element: Element, name: str, span: Span) -> typed.Value:
        source = materialise(ctx, operand, element)
        target = ctx.value(name, element, shape, span)
        ctx.block.append(typed.Transpose(target, source, tuple(permutation), node.span))
        return target

    return _statement(operand, operand.element, shape, node.span, produce)


def reshape(ctx: Context, node: ast.Call, operand: Operand) -> Operand:
    """`reshape(x, [4, n])`. W309."""
    wanted = node.arguments[1]
    if not isinstance(wanted, ast.List):
        ctx.fail(wanted.span, "W613", "a shape is a list", expected="such as [4, n]")
    shape = tuple(read_extent(ctx, e) for e in wanted.elements)
    before, after = _count(operand.shape), _count(shape)
    if equal(before, after) is False:
        ctx.fail(
            wanted.span,
            "W309",
            "a reshape keeps the number of elements",
            expected=f"{before.shown} elements, as {shape_text(operand.shape)} has",
            found=f"{after.shown} elements in {shape_text(shape)}",
        )

    def produce(element: Element, name: str, span: Span) -> typed.Value:
        source = materialise(ctx, operand, element)
        target = ctx.value(name, element, shape, span)
        ctx.block.append(typed.Reshape(target, source, node.span))
        return target

    return _statement(operand, operand.element, shape, node.span, produce)


def _count(shape: tuple[Size, ...]) -> Size:
    total = size(1)
    for extent in shape:
        total = total * extent
    return total


def twiddle(ctx: Context, node: ast.Call) -> Operand:
    """`twiddle(R, C, sign=-1)`: weak, it takes the complex type of what it meets."""
    check_arguments(ctx, node, 2, 2, {"sign"})
    rows, columns = (read_extent(ctx, a) for a in node.arguments)
    sign = _sign(ctx, node, -1)

    def produce(element: Element, _name: str, span: Span) -> typed.Value:
        key = (rows, columns, sign, element)
        value = ctx.twiddles.get(key)
        if value is None:
            value = ctx.twiddles[key] = ctx.value("", element, (rows, columns), span)
            ctx.prelude.append(
                typed.Twiddle(value, rows.concrete, columns.concrete, sign, node.span)
            )
        return value

    shape = (rows, columns)
    return Operand(Kind.COMPLEX, None, shape, node.span, None, produce, in_prelude=True)


_DFT_NAMES = {"axis", "axes", "sign", "norm", "radices"}
BUILTINS: dict[str, Callable[[Context, ast.Call, Operand], Operand]] = {
    "dft": dft,
    "idft": dft,
    "transpose": transpose,
    "reshape": reshape,
}
ARGUMENTS: dict[str, tuple[int, int, set[str]]] = {
    "dft": (1, 1, _DFT_NAMES),
    "idft": (1, 1, _DFT_NAMES),
    "transpose": (1, 2, set()),
    "reshape": (2, 2, set()),
}
