# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `typed.py` promises of every module, checked on its own: used by tests only."""

from __future__ import annotations

import itertools

import numpy as np

from weft.semantics import typed
from weft.semantics.types import Element, Kind

NUMBERS = (Kind.INT, Kind.REAL, Kind.COMPLEX)
WIDE = (Kind.REAL, Kind.COMPLEX)
ORDERED = (Kind.INT, Kind.REAL)


def check_module(module: typed.Module) -> None:
    done: dict[str, typed.Kernel] = {}
    codes: list[int] = []
    for kernel in module.kernels:
        assert kernel.name not in done
        rules = _Kernel(kernel, done)
        rules.check()
        codes += rules.codes
        done[kernel.name] = kernel
    assert sorted(codes) == list(range(1, len(codes) + 1))


class _Kernel:
    def __init__(self, kernel: typed.Kernel, callees: dict[str, typed.Kernel]) -> None:
        self.kernel, self.callees = kernel, callees
        self.defined: dict[int, typed.Value] = {}
        self.below: dict[int, int] = {}
        self.codes: list[int] = []
        self.time: dict[typed.Index, typed.Loop] = {}

    def check(self) -> None:
        for value in self.kernel.inputs:
            self.define(value)
        self.block(self.kernel.body)
        for _, value in self.kernel.outputs:
            self.use(value)

    def define(self, value: typed.Value) -> None:
        assert value.id not in self.defined, value
        assert all(n >= 1 for n in value.type.shape)
        self.defined[value.id] = value

    def use(self, value: typed.Value) -> None:
        assert self.defined.get(value.id) == value, value

    def block(self, statements: tuple[typed.Statement, ...]) -> None:
        for statement in statements:
            getattr(self, "on_" + type(statement).__name__.lower())(statement)

    def on_table(self, node: typed.Table) -> None:
        assert node.data.shape == node.target.type.shape
        assert node.data.dtype == np.dtype(node.target.type.element.numpy)
        assert not node.data.flags.writeable
        self.define(node.target)

    def on_twiddle(self, node: typed.Twiddle) -> None:
        assert node.target.type.shape == (node.rows, node.columns)
        assert node.target.type.element.is_complex
        assert node.sign in (1, -1)
        self.define(node.target)

    def on_dft(self, node: typed.Dft) -> None:
        self.use(node.source)
        assert node.source.type == node.target.type
        assert node.source.type.element.is_complex
        assert len(set(node.axes)) == len(node.axes) > 0
        assert all(0 <= a < node.source.type.rank for a in node.axes)
        if node.radices:
            (axis,) = node.axes
            assert np.prod(node.radices) == node.source.type.shape[axis]
        self.define(node.target)

    def on_transpose(self, node: typed.Transpose) -> None:
        self.use(node.source)
        source, target = node.source.type, node.target.type
        assert target.element is source.element
        assert target.shape == tuple(source.shape[p] for p in node.permutation)
        self.define(node.target)

    def on_reshape(self, node: typed.Reshape) -> None:
        self.use(node.source)
        # Pairs of real elements and complex ones are the same memory.
        given, made = node.source.type, node.target.type
        parts = [type_.elements * (2 if type_.element.is_complex else 1) for type_ in (given, made)]
        assert parts[0] == parts[1]
        if given.element is not made.element:
            assert given.element.is_complex != made.element.is_complex
            assert given.element.bytes * given.elements == made.element.bytes * made.elements
        self.define(node.target)

    def on_checkedindices(self, node: typed.CheckedIndices) -> None:
        self.use(node.source)
        assert node.target.type == node.source.type
        assert node.source.type.element.is_int
        assert node.below >= 1
        assert node.code >= 1
        assert node.what
        self.codes.append(node.code)
        self.below[node.target.id] = node.below
        self.define(node.target)

    def on_scatter(self, node: typed.Scatter) -> None:
        for value in (node.base, node.indices, node.updates):
            self.use(value)
        base, updates = node.base.type, node.updates.type
        assert node.target.type == base
        assert updates.element is base.element
        assert updates.shape == node.indices.type.shape + base.shape[1:]
        assert self.below[node.indices.id] == base.shape[0]
        assert node.op in ("add", "mul", "max", "min", "set")
        self.define(node.target)

    def on_winogradtransform(self, node: typed.WinogradTransform) -> None:
        self.use(node.source)
        source, target = node.source.type, node.target.type
        assert target.element is source.element
        assert target.element.kind in WIDE
        assert node.matrix.dtype == np.dtype(target.element.real.numpy)
        assert not node.matrix.flags.writeable
        assert 0 <= node.axis < source.rank
        assert node.matrix.shape == (target.shape[node.axis], source.shape[node.axis])
        shape = list(source.shape)
        shape[node.axis] = len(node.matrix)
        assert tuple(shape) == target.shape
        self.define(node.target)

    def on_conv(self, node: typed.Conv) -> None:
        self.use(node.x)
        self.use(node.g)
        assert node.x.type.element is node.g.type.element is node.target.type.element
        assert node.target.type.element.kind in WIDE
        n, c, *image = _planes(node.x.type.shape, node.layout)
        k, share, *window = node.g.type.shape
        assert c == share * node.groups
        assert k % node.groups == 0
        reached = [
            (extent + 2 * pad - own) // stride + 1
            for extent, own, pad, stride in zip(image, window, node.pad, node.stride, strict=True)
        ]
        assert _planes(node.target.type.shape, node.out_layout) == [n, k, *reached]
        assert len(node.transforms) == 1 or node.algorithm != "winograd"
        assert not node.transforms or node.algorithm != "direct"
        for t in node.transforms:
            step = max(node.stride)
            count = step * (t.m - 1) + t.r
            assert set(window) - {1} == {t.r} - {1}
            for own, extent in zip(node.stride, window, strict=True):
                assert own == (step if extent == t.r else 1)
            shapes = [(t.m, count), (count, t.r), (count, count)]
            assert [a.shape for a in (t.AT, t.G, t.BT)] == shapes
        self.define(node.target)

    def on_alltoall(self, node: typed.Alltoall) -> None:
        shape, groups = list(node.source.type.shape), self.groups()
        assert shape[node.split] % groups == 0
        shape[node.split] //= groups
        shape[node.concat] *= groups
        self.collective(node, tuple(shape))

    def on_allreduce(self, node: typed.Allreduce) -> None:
        assert self.groups()
        kinds = ORDERED if node.op in ("max", "min") else NUMBERS
        assert node.source.type.element.kind in kinds
        self.collective(node, node.source.type.shape)

    def on_allgather(self, node: typed.Allgather) -> None:
        shape = list(node.source.type.shape)
        shape[node.axis] *= self.groups()
        self.collective(node, tuple(shape))

    def on_own(self, node: typed.Own) -> None:
        shape, groups = list(node.source.type.shape), self.groups()
        assert shape[node.axis] % groups == 0
        shape[node.axis] //= groups
        self.collective(node, tuple(shape))

    def groups(self) -> int:
        assert self.kernel.groups is not None
        return self.kernel.groups

    def collective(self, node: typed.Statement, shape: tuple[int, ...]) -> None:
        self.use(node.source)
        assert node.target.type.element is node.source.type.element
        assert node.target.type.shape == shape
        self.define(node.target)

    def on_call(self, node: typed.Call) -> None:
        callee = self.callees[node.kernel]
        assert [v.type for v in callee.inputs] == [v.type for v in node.arguments]
        assert [v.type for _, v in callee.outputs] == [v.type for v in node.targets]
        for value in node.arguments:
            self.use(value)
        for value in node.targets:
            self.define(value)

    def on_insert(self, node: typed.Insert) -> None:
        self.use(node.into)
        self.use(node.part)
        kind = node.target.type
        assert kind == node.into.type
        assert node.part.type.element is kind.element
        given = list(zip(node.indices, kind.shape, strict=True))
        assert node.part.type.shape == tuple(n for index, n in given if index is None)
        alone = [(index, n) for index, n in given if index is not None]
        self.indices(tuple(index for index, _ in alone), tuple(n for _, n in alone), {})
        self.define(node.target)

    def on_for(self, node: typed.For) -> None:
        assert node.loop.extent >= 1
        for carry in node.carries:
            if carry.initial is not None:
                self.use(carry.initial)
                assert carry.initial.type == carry.inside.type
            assert carry.inside.type == carry.next.type == carry.result.type
            self.define(carry.inside)
        before = dict(self.defined)
        self.time[node.loop.index] = node.loop
        self.block(node.body)
        del self.time[node.loop.index]
        for carry in node.carries:
            self.use(carry.next)
        self.defined = before
        for carry in node.carries:
            self.define(carry.result)

    def on_map(self, node: typed.Map) -> None:
        ranges = self.loops(node.loops, {})
        locals_: set[int] = set()
        seen: set[int] = set()
        for local in node.locals:
            self.scalar(local.value, ranges, locals_, seen)
            locals_.add(local.id)
        for store in node.stores:
            self.scalar(store.value, ranges, locals_, seen)
            target = node.results[store.result].target.type
            assert store.value.element is target.element
            self.indices(store.indices, target.shape, ranges)
        for number, result in enumerate(node.results):
            if result.init is not None:
                self.use(result.init)
                assert result.init.type == result.target.type
                assert not result.complete
            self.covered(node, number, result)
            self.define(result.target)

    def covered(self, node: typed.Map, number: int, result: typed.Result) -> None:
        """Every element at most once; exactly once where the result says that it is complete."""
        if np.prod([loop.extent for loop in node.loops], dtype=object) > 5000 or self.time:
            return
        counts = np.zeros(result.target.type.shape, dtype=int)
        spans = [range(loop.lower, loop.upper) for loop in node.loops]
        for point in itertools.product(*spans):
            at = {loop.index: v for loop, v in zip(node.loops, point, strict=True)}
            for store in node.stores:
                if store.result == number:
                    counts[tuple(_value(i, at) for i in store.indices)] += 1
        assert counts.max() <= 1
        assert not result.complete or counts.min() == 1

    def loops(
        self, loops: tuple[typed.Loop, ...], outer: dict[typed.Index, typed.Loop]
    ) -> dict[typed.Index, typed.Loop]:
        assert all(loop.extent >= 1 for loop in loops)
        assert not any(loop.index in outer for loop in loops)
        return {**outer, **{loop.index: loop for loop in loops}}

    def indices(
        self,
        indices: tuple[typed.Affine, ...],
        shape: tuple[int, ...],
        ranges: dict[typed.Index, typed.Loop],
    ) -> None:
        assert len(indices) == len(shape)
        for index, extent in zip(indices, shape, strict=True):
            low, high = self.affine(index, ranges)
            assert 0 <= low <= high < extent

    def affine(self, index: typed.Affine, ranges: dict[typed.Index, typed.Loop]) -> tuple[int, int]:
        low = high = index.constant
        ids = [i.id for i, _ in index.terms]
        assert ids == sorted(set(ids))
        for variable, factor in index.terms:
            assert factor != 0
            loop = ranges.get(variable) or self.time[variable]
            ends = (factor * loop.lower, factor * (loop.upper - 1))
            low, high = low + min(ends), high + max(ends)
        if index.modulus is not None:
            assert index.modulus >= 1
            return 0, index.modulus - 1
        return low, high

    def scalar(
        self,
        node: typed.Scalar,
        ranges: dict[typed.Index, typed.Loop],
        locals_: set[int],
        seen: set[int],
    ) -> None:
        if id(node) in seen:
            return
        element = node.element
        for part in _parts(node):
            inner = self.loops(node.loops, ranges) if isinstance(node, typed.Reduce) else ranges
            self.scalar(part, inner, locals_, seen if inner is ranges else set())
        match node:
            case typed.Constant():
                wanted = {Kind.BOOL: bool, Kind.INT: int, Kind.REAL: float, Kind.COMPLEX: complex}
                assert type(node.value) is wanted[element.kind]
            case typed.IndexValue():
                assert element is Element.I64
                self.affine(node.index, ranges)
            case typed.Read():
                self.use(node.value)
                self.indices(node.indices, node.value.type.shape, ranges)
            case typed.ReadAt():
                self.read_at(node, ranges)
            case typed.Local():
                assert node.id in locals_
            case typed.Unary():
                _check_unary(node)
            case typed.Binary():
                _check_binary(node)
            case typed.Compare():
                assert node.left.element is node.right.element
                assert element is Element.BOOL
                assert node.op in ("eq", "ne") or node.left.element.kind in ORDERED
            case typed.Select():
                assert node.condition.element is Element.BOOL
                assert node.then.element is node.other.element is element
            case typed.Power():
                assert node.base.element is element
                assert node.exponent >= 2 or (node.exponent <= -1 and element.kind in WIDE)
            case typed.Cast():
                _check_cast(node)
            case typed.Reduce():
                assert node.loops
                assert node.body.element is element
                assert node.kind in ("sum", "prod") or element.kind in ORDERED
        seen.add(id(node))

    def read_at(self, node: typed.ReadAt, ranges: dict[typed.Index, typed.Loop]) -> None:
        self.use(node.value)
        assert any(not isinstance(i, typed.Affine) for i in node.indices)
        for index, extent in zip(node.indices, node.value.type.shape, strict=True):
            if isinstance(index, typed.Affine):
                self.indices((index,), (extent,), ranges)
                continue
            assert isinstance(index, typed.Read)
            assert self.below[index.value.id] <= extent
            self.scalar(index, ranges, set(), set())


def _value(index: typed.Affine, at: dict[typed.Index, int]) -> int:
    total = index.constant + sum(at[i] * c for i, c in index.terms)
    return total if index.modulus is None else total % index.modulus


def _parts(node: typed.Scalar) -> list[typed.Scalar]:
    match node:
        case typed.Unary() | typed.Cast():
            return [node.operand]
        case typed.Binary() | typed.Compare():
            return [node.left, node.right]
        case typed.Select():
            return [node.condition, node.then, node.other]
        case typed.Power():
            return [node.base]
        case typed.Reduce():
            return [node.body]
    return []


def _check_unary(node: typed.Unary) -> None:
    own, result = node.operand.element, node.element
    if node.op in ("real", "imag", "abs", "abs2", "angle") and own.is_complex:
        assert result is own.real
        return
    assert result is own
    kinds = {
        "neg": NUMBERS,
        "not": (Kind.BOOL,),
        "conj": (Kind.COMPLEX,),
        "abs": ORDERED,
        "abs2": ORDERED,
        **dict.fromkeys(("exp", "log", "sin", "cos", "tanh", "sqrt"), WIDE),
    }
    assert own.kind in kinds[node.op]


def _check_binary(node: typed.Binary) -> None:
    left, right, result = node.left.element, node.right.element, node.element
    kinds = {
        **dict.fromkeys(("add", "sub", "mul"), NUMBERS),
        "div": WIDE,
        **dict.fromkeys(("floordiv", "mod", "max", "min"), ORDERED),
        "pow": (Kind.REAL,),
        "complex": (Kind.COMPLEX,),
        "and": (Kind.BOOL,),
        "or": (Kind.BOOL,),
    }
    assert result.kind in kinds[node.op]
    if node.op == "complex":
        assert left is right is result.real
    elif node.op == "mul" and result.is_complex:
        assert {left, right} <= {result, result.real}
        assert result in (left, right)
    elif node.op == "div" and result.is_complex:
        assert left is result
        assert right in (result, result.real)
    else:
        assert left is right is result


def _check_cast(node: typed.Cast) -> None:
    own, result = node.operand.element, node.element
    assert own is not result
    if own.kind is Kind.INT:
        assert result.kind in ORDERED
    elif own.kind is Kind.REAL:
        assert result.kind in NUMBERS
        assert not result.is_complex or result.real is own
    elif own.kind is Kind.COMPLEX:
        assert result.is_complex
    else:
        assert result.kind in ORDERED


def _planes(shape: tuple[int, ...], layout: str) -> list[int]:
    """Images, channels and the extents of a pixel."""
    if layout[1] != "c":
        n, *pixel, c = shape
    elif layout.endswith("16c"):
        n, blocks, *pixel, block = shape
        assert block == 16
        c = 16 * blocks
    else:
        n, c, *pixel = shape
    return [n, c, *pixel]
