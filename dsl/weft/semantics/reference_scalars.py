# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scalars of a map, all points at once: an array over the box of its loops.

Axis n of every array belongs to loop n of the map; a reduction adds its own loops as further axes
and takes them away again. An axis along which a value does not vary may have extent 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from weft.semantics import typed
from weft.semantics.types import Element


class Points:
    """Evaluates scalars over the box of `loops`. `outer` gives indices and locals around it."""

    def __init__(
        self,
        loops: tuple[typed.Loop, ...],
        tensors: Mapping[int, np.ndarray],
        fixed: Mapping[int, int],
        outer: Points | None = None,
    ) -> None:
        self.tensors = tensors
        self.fixed = fixed
        self.outer = outer
        self.added = len(loops)
        self.rank: int = self.added + (outer.rank if outer else 0)
        around: tuple[int, ...] = outer.shape if outer else ()
        self.shape: tuple[int, ...] = around + tuple(loop.extent for loop in loops)
        self.grid: dict[int, np.ndarray] = {}
        if outer:
            self.grid = {i: self._deeper(values) for i, values in outer.grid.items()}
        for axis, loop in enumerate(loops, self.rank - self.added):
            along = [1] * self.rank
            along[axis] = loop.extent
            values = np.arange(loop.lower, loop.upper, dtype=np.int64)
            self.grid[loop.index.id] = values.reshape(along)
        self._values: dict[int, np.ndarray] = {}

    def _deeper(self, values: np.ndarray) -> np.ndarray:
        """Values from around this box: they do not vary along the axes that it adds."""
        return values.reshape(values.shape + (1,) * self.added) if values.ndim else values

    def index(self, affine: typed.Affine) -> np.ndarray:
        total = np.asarray(affine.constant, dtype=np.int64)
        for index, factor in affine.terms:
            value = self.grid[index.id] if index.id in self.grid else self.fixed[index.id]
            total = total + factor * np.asarray(value, dtype=np.int64)
        return total if affine.modulus is None else total % affine.modulus

    def value(self, node: typed.Scalar) -> np.ndarray:
        """An array of the node's dtype that broadcasts to `shape`."""
        if id(node) not in self._values:
            found = _SCALARS[type(node)](self, node)
            self._values[id(node)] = np.asarray(found).astype(node.element.numpy, copy=False)
        return self._values[id(node)]

    # ------------------------------------------------------------------------- by node

    def _constant(self, node: typed.Constant) -> Any:
        return np.asarray(node.value, dtype=node.element.numpy)

    def _index_value(self, node: typed.IndexValue) -> Any:
        return self.index(node.index)

    def _read(self, node: typed.Read) -> Any:
        return self.tensors[node.value.id][tuple(self.index(affine) for affine in node.indices)]

    def _read_at(self, node: typed.ReadAt) -> Any:
        place = [
            self.index(i) if isinstance(i, typed.Affine) else self.value(i) for i in node.indices
        ]
        return self.tensors[node.value.id][tuple(place)]

    def _local(self, node: typed.Local) -> Any:
        """Belongs to the map: a reduction takes it from around itself."""
        if self.outer:
            return self._deeper(self.outer.value(node))
        return self.value(node.value)

    def _unary(self, node: typed.Unary) -> Any:
        return _UNARY[node.op](self.value(node.operand))

    def _binary(self, node: typed.Binary) -> Any:
        left, right = self.value(node.left), self.value(node.right)
        if node.left.element is not node.right.element:
            return _scaled(node.op, left, right)
        return _BINARY[node.op](left, right)

    def _compare(self, node: typed.Compare) -> Any:
        return _COMPARE[node.op](self.value(node.left), self.value(node.right))

    def _select(self, node: typed.Select) -> Any:
        condition = self.value(node.condition)
        return np.where(condition, self.value(node.then), self.value(node.other))

    def _power(self, node: typed.Power) -> Any:
        base = result = self.value(node.base)
        for _ in range(abs(node.exponent) - 1):
            result = result * base
        return result if node.exponent > 0 else 1 / result

    def _cast(self, node: typed.Cast) -> Any:
        return self.value(node.operand).astype(node.element.numpy)

    def _reduce(self, node: typed.Reduce) -> Any:
        inner = Points(node.loops, self.tensors, self.fixed, outer=self)
        values = np.broadcast_to(inner.value(node.body), inner.shape)
        axes = tuple(range(self.rank, inner.rank))
        # Sums and products in the widest precision, rounded once.
        wide = _WIDE.get(node.element, node.element).numpy
        result: Any = _REDUCE[node.kind](values.astype(wide), axis=axes)
        return result


def _scaled(op: str, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Complex by real, on both parts."""
    operation = _BINARY[op]
    if not np.iscomplexobj(left):
        left, right = right, left
    re, im = operation(left.real, right), operation(left.imag, right)
    result = np.empty(re.shape, dtype=left.dtype)
    result.real, result.imag = re, im
    return result


def _complex(re: np.ndarray, im: np.ndarray) -> Any:
    """By parts: re + 1j * im would make NaN of an infinite im."""
    single = np.result_type(re, im) == np.float32
    shape = np.broadcast_shapes(re.shape, im.shape)
    result = np.empty(shape, dtype=np.complex64 if single else np.complex128)
    result.real, result.imag = re, im
    return result


def _abs2(z: np.ndarray) -> Any:
    return z.real * z.real + z.imag * z.imag if np.iscomplexobj(z) else z * z


_WIDE = {Element.F32: Element.F64, Element.C64: Element.C128}
_UNARY: dict[str, Callable[[Any], Any]] = {
    "neg": np.negative,
    "not": np.logical_not,
    "abs": np.abs,
    "exp": np.exp,
    "log": np.log,
    "sin": np.sin,
    "cos": np.cos,
    "tanh": np.tanh,
    "sqrt": np.sqrt,
    "conj": np.conj,
    "real": np.real,
    "imag": np.imag,
    "abs2": _abs2,
    "angle": np.angle,
}
_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "complex": _complex,
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "floordiv": np.floor_divide,
    "mod": np.mod,
    "pow": np.power,
    "max": np.maximum,
    "min": np.minimum,
    "and": np.logical_and,
    "or": np.logical_or,
}
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "eq": np.equal,
    "ne": np.not_equal,
}
SCATTER: dict[str, Callable[[Any, Any], Any]] = {
    **{op: _BINARY[op] for op in ("add", "mul", "max", "min")},
    "set": lambda _before, update: update,
}
_REDUCE: dict[str, Callable[..., Any]] = {
    "sum": np.sum,
    "prod": np.prod,
    "max": np.max,
    "min": np.min,
}
_SCALARS: dict[type, Callable[[Points, Any], Any]] = {
    typed.Constant: Points._constant,
    typed.IndexValue: Points._index_value,
    typed.Read: Points._read,
    typed.ReadAt: Points._read_at,
    typed.Local: Points._local,
    typed.Unary: Points._unary,
    typed.Binary: Points._binary,
    typed.Compare: Points._compare,
    typed.Select: Points._select,
    typed.Power: Points._power,
    typed.Cast: Points._cast,
    typed.Reduce: Points._reduce,
}
