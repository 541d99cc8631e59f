# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scalar expressions to arith, math, complex and weft.reduce: the inside of a map.

Scalars form a DAG, and a node is computed once for each region that can see it. Constants, index
expressions and reads are also shared when they merely look the same.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from weft.diagnostics import CompilerBug, Span
from weft.lowering import arithmetic, index_notation
from weft.lowering.text import Writer, listed, real, scalar
from weft.semantics import typed
from weft.semantics.types import Element, Kind, TensorType


class Body:
    """Computes scalars at the writer's place. Knows the SSA values of tensors and indices."""

    def __init__(self, writer: Writer, tensors: dict[int, str], indices: dict[int, str]) -> None:
        self.writer = writer
        self.tensors = tensors
        self.indices = indices
        self._known: list[dict[Hashable, str]] = [{}]

    # ------------------------------------------------------------------------------- ops

    def op(self, text: str, span: Span, name: str = "", hint: str = "") -> str:
        """One operation with one result; `name` is the user's, `hint` ours."""
        result = self.writer.fresh(name or hint)
        self.writer.op(f"{result} = {text}", span, name)
        return result

    def _shared(self, key: Hashable, make: Callable[[], str]) -> str:
        for known in self._known:
            if key in known:
                return known[key]
        self._known[-1][key] = made = make()
        return made

    def constant(self, value: complex, element: Element, span: Span) -> str:
        """A number; equal ones are shared. The key is the text: -0.0 is not 0.0."""
        text = scalar(value, element)
        if element.is_complex:
            z, part = complex(value), element.real
            items = (f"{real(x, part)} : {part.mlir}" for x in (z.real, z.imag))
            op = f"complex.constant [{listed(items)}] : {element.mlir}"
        elif element is Element.BOOL:
            op = f"arith.constant {text}"
        else:
            op = f"arith.constant {text} : {element.mlir}"
        hint = f"c{text}_{element}".replace("-", "m") if element.is_int else "cst"
        return self._shared(op, lambda: self.op(op, span, hint=hint))

    def index(self, affine: typed.Affine, span: Span) -> str:
        """The SSA value, of type index, of an index expression."""
        if index_notation.is_plain(affine):
            return self.indices[affine.terms[0][0].id]
        if not affine.terms:
            place = affine.constant
            if affine.modulus is not None:
                place %= affine.modulus
            op = f"arith.constant {place} : index"
            hint = f"c{place}".replace("-", "m")
            return self._shared(op, lambda: self.op(op, span, hint=hint))
        indices = [index for index, _ in affine.terms]
        values = [self.indices[index.id] for index in indices]
        names = index_notation.affine_map(indices, values, [affine])
        op = f"affine.apply {names}({listed(values)})"
        return self._shared(op, lambda: self.op(op, span))

    def element(self, tensor: str, of: TensorType, indices: list[str], span: Span) -> str:
        op = f"tensor.extract {tensor}[{listed(indices)}] : {of.mlir}"
        return self._shared(op, lambda: self.op(op, span))

    # --------------------------------------------------------------------------- scalars

    def value(self, node: typed.Scalar, name: str = "") -> str:
        """The SSA value of an expression; `name` is the user's for it."""
        for known in self._known:
            if id(node) in known:
                return known[id(node)]
        result: str = _SCALARS[type(node)](self, node, name)
        self._known[-1][id(node)] = result
        return result

    def _constant(self, node: typed.Constant, _name: str) -> str:
        return self.constant(node.value, node.element, node.span)

    def _index_value(self, node: typed.IndexValue, name: str) -> str:
        index = self.index(node.index, node.span)
        return self.op(f"arith.index_cast {index} : index to {node.element.mlir}", node.span, name)

    def _read(self, node: typed.Read, _name: str) -> str:
        indices = [self.index(affine, node.span) for affine in node.indices]
        return self.element(self.tensors[node.value.id], node.value.type, indices, node.span)

    def _read_at(self, node: typed.ReadAt, _name: str) -> str:
        indices = [self._place(index, node.span) for index in node.indices]
        return self.element(self.tensors[node.value.id], node.value.type, indices, node.span)

    def _place(self, index: typed.Affine | typed.Scalar, span: Span) -> str:
        if isinstance(index, typed.Affine):
            return self.index(index, span)
        op = f"arith.index_cast {self.value(index)} : {index.element.mlir} to index"
        return self._shared(op, lambda: self.op(op, span))

    def _local(self, node: typed.Local, _name: str) -> str:
        return self.value(node.value, node.name)

    def _unary(self, node: typed.Unary, name: str) -> str:
        operand = self.value(node.operand)
        return arithmetic.unary(self, node, operand, name)

    def _binary(self, node: typed.Binary, name: str) -> str:
        left, right = self.value(node.left), self.value(node.right)
        return arithmetic.binary(self, node, left, right, name)

    def _compare(self, node: typed.Compare, name: str) -> str:
        left, right = self.value(node.left), self.value(node.right)
        op = arithmetic.compare(node.op, node.left.element)
        return self.op(f"{op} {left}, {right} : {node.left.element.mlir}", node.span, name)

    def _select(self, node: typed.Select, name: str) -> str:
        condition, then = self.value(node.condition), self.value(node.then)
        other = self.value(node.other)
        op = f"arith.select {condition}, {then}, {other} : {node.element.mlir}"
        return self.op(op, node.span, name)

    def _power(self, node: typed.Power, name: str) -> str:
        return arithmetic.power(self, node, self.value(node.base), name)

    def _cast(self, node: typed.Cast, name: str) -> str:
        operand = self.value(node.operand)
        return arithmetic.cast(self, operand, node.operand.element, node.element, node.span, name)

    def _reduce(self, node: typed.Reduce, name: str) -> str:
        if node.kind in ("max", "min") and node.element.kind in (Kind.COMPLEX, Kind.BOOL):
            raise CompilerBug(f"{node.span}: {node.kind} of {node.element}", stage="lowering")
        result = self.writer.fresh(name)
        opening = f"{result} = weft.reduce {node.kind} {index_notation.box(node.loops)} {{"
        with self.writer.region(opening, f"}} : {node.element.mlir}", node.span, name):
            self._known.append({})
            self.arguments(node.loops)
            inner = self.value(node.body)
            self.writer.op(f"weft.yield {inner} : {node.element.mlir}", node.span)
            self._known.pop()
        return result

    def arguments(self, loops: tuple[typed.Loop, ...]) -> list[str]:
        """The line of block arguments of a box; afterwards the indices have values."""
        values, shown = [], []
        for loop in loops:
            value = self.writer.fresh(loop.index.name or "i")
            self.indices[loop.index.id] = value
            values.append(value)
            location = self.writer.location(loop.index.span, loop.index.name)
            shown.append(f"{value}: index {location}")
        if loops:
            self.writer.arguments(f"^bb0({listed(shown)}):")
        return values


_SCALARS: dict[type, Callable[[Body, Any, str], str]] = {
    typed.Constant: Body._constant,
    typed.IndexValue: Body._index_value,
    typed.Read: Body._read,
    typed.ReadAt: Body._read_at,
    typed.Local: Body._local,
    typed.Unary: Body._unary,
    typed.Binary: Body._binary,
    typed.Compare: Body._compare,
    typed.Select: Body._select,
    typed.Power: Body._power,
    typed.Cast: Body._cast,
    typed.Reduce: Body._reduce,
}
