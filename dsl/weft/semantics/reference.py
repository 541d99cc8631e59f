# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a program means: plain NumPy evaluation of the typed AST, by which all else is judged.

Slow and short on purpose. Elements are computed in their own precision, one NumPy operation for one
operator; transforms and sums in double precision, rounded once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import prod
from typing import Any, TypeAlias

import numpy as np

from weft.diagnostics import RunError, Span
from weft.semantics import faults, reference_groups, typed
from weft.semantics.depth import deep_recursion
from weft.semantics.reference_conv import conv, winograd_transform
from weft.semantics.reference_dft import dft, roots_of_unity
from weft.semantics.reference_scalars import SCATTER, Points
from weft.semantics.types import Element

# A map over more points than this, those of its reductions included, is computed in parts.
POINTS_AT_ONCE = 1 << 24
Watch: TypeAlias = Callable[[str, np.ndarray, Span], None]
Blur: TypeAlias = Callable[[np.ndarray], np.ndarray]


def evaluate(
    module: typed.Module,
    inputs: Mapping[str, np.ndarray | complex],
    watch: Watch | None = None,
    blur: Blur | None = None,
) -> dict[str, np.ndarray]:
    """The outputs of the module's entry by name; RunError for inputs it does not take.

    Of an entry over groups, inputs, outputs and what `watch` is told have the groups in front.

    `watch` is told every value that the source names, as soon as it is whole: within a kernel that
    another one calls as `kernel.name`, in a loop over time once an iteration. `blur` changes every
    tensor as it is computed: by small errors, to see what they do to the outputs.
    """
    entry = module.entry
    arguments = [_argument(entry, value, inputs) for value in entry.inputs]
    for name in inputs:
        if name not in (value.name for value in entry.inputs):
            raise RunError(f"{entry.source_name} has no input {name!r}", argument=name)
    # Infinity and NaN are results here as everywhere.
    over = entry.groups is not None
    banks = [[a[group] for a in arguments] for group in range(entry.groups or 0)]
    with deep_recursion(), np.errstate(all="ignore"):
        results = _Evaluation(
            module, entry, banks if over else [arguments], watch, blur=blur, stacked=over
        ).outputs()
    # An input may come back as it is; the caller gets arrays of its own.
    return {
        name: np.stack([group[n] for group in results]) if over else np.array(results[0][n])
        for n, (name, _) in enumerate(entry.outputs)
    }


def _argument(
    entry: typed.Kernel, value: typed.Value, inputs: Mapping[str, np.ndarray | complex]
) -> np.ndarray:
    if value.name not in inputs:
        raise RunError(f"the input {value.name!r} is missing", argument=value.name)
    array = np.asarray(inputs[value.name])
    shape = entry.arranged(value)
    if array.shape != shape or not np.can_cast(array.dtype, value.type.element.numpy):
        raise RunError(
            f"the input {value.name!r} does not fit",
            argument=value.name,
            expected=f"{value.type.element}{list(shape)}" if entry.groups else str(value.type),
            found=f"{array.dtype}{list(array.shape)}",
        )
    return array.astype(value.type.element.numpy)


class _Evaluation:
    """One call of one kernel: the tensors and time steps known so far, by id.

    Groups go in step: each statement is evaluated for one after the other, on `tensors` of its own.
    """

    def __init__(
        self,
        module: typed.Module,
        kernel: typed.Kernel,
        banks: list[list[np.ndarray]],
        watch: Watch | None = None,
        prefix: str = "",
        blur: Blur | None = None,
        stacked: bool = False,
    ) -> None:
        self.module = module
        self.kernel = kernel
        self.watch = watch
        self.prefix = prefix
        self.group = 0
        self.blur = blur
        self.stacked = stacked
        self.unfinished = _unfinished(kernel.body) if watch else frozenset()
        self.banks: list[dict[int, np.ndarray]] = [
            {v.id: a for v, a in zip(kernel.inputs, arguments, strict=True)} for arguments in banks
        ]
        self.tensors = self.banks[0]
        self.told: list[list[tuple[str, np.ndarray, Span]]] = [[] for _ in banks]
        self.steps: dict[int, int] = {}

    def outputs(self) -> list[list[np.ndarray]]:
        """For each group its outputs."""
        self._run(self.kernel.body)
        for name, value in self.kernel.outputs:
            if name != value.name:  # `y = x`: no statement makes it
                for _ in self._groups():
                    self._tell(name, self.tensors[value.id], value.span)
                self._tell_stacked()
        return [[bank[value.id] for _, value in self.kernel.outputs] for bank in self.banks]

    def _run(self, body: tuple[typed.Statement, ...]) -> None:
        for statement in body:
            try:
                together = _TOGETHER.get(type(statement))
                if together is not None:
                    together(self, statement)
                else:
                    for _ in self._groups():
                        _STATEMENTS[type(statement)](self, statement)
                self._tell_stacked()
            except MemoryError as error:
                raise RunError(f"{statement.span}: no memory to evaluate this: {error}") from None

    def _groups(self) -> Iterator[int]:
        """The groups in turn, each with its own tensors."""
        for group, tensors in enumerate(self.banks):
            self.group, self.tensors = group, tensors
            yield group

    def _define(self, target: typed.Value, array: np.ndarray) -> None:
        self._keep(target, array)
        if target.id not in self.unfinished:
            self._tell(target.name, self.tensors[target.id], target.span)

    def _keep(self, target: typed.Value, array: np.ndarray) -> None:
        array = np.asarray(array).astype(target.type.element.numpy, copy=False)
        assert array.shape == target.type.shape, (target, array.shape)
        self.tensors[target.id] = array if self.blur is None else self.blur(array)

    def _tell(self, name: str, array: np.ndarray, span: Span) -> None:
        if self.watch is None or not name:
            return
        if self.stacked:
            self.told[self.group].append((name, array, span))
        else:
            self.watch(self.prefix + name, array, span)

    def _tell_stacked(self) -> None:
        """What all groups were told by one statement, the groups in front."""
        if self.stacked and self.watch is not None:
            for same in zip(*self.told, strict=True):
                name, _, span = same[0]
                self.watch(self.prefix + name, np.stack([array for _, array, _ in same]), span)
            self.told = [[] for _ in self.banks]

    # ------------------------------------------------------------------------- by node

    def _table(self, node: typed.Table) -> None:
        self._define(node.target, node.data)

    def _twiddle(self, node: typed.Twiddle) -> None:
        k, n = np.ogrid[: node.rows, : node.columns]
        size = node.rows * node.columns
        self._define(node.target, roots_of_unity(size, node.sign)[k * n % size])

    def _dft(self, node: typed.Dft) -> None:
        array = self.tensors[node.source.id].astype(np.complex128)
        for axis in node.axes:
            array = dft(array, axis, node.sign)
        self._define(node.target, array if node.scale is None else array * node.scale)

    def _transpose(self, node: typed.Transpose) -> None:
        self._define(node.target, self.tensors[node.source.id].transpose(node.permutation))

    def _reshape(self, node: typed.Reshape) -> None:
        source = np.ascontiguousarray(self.tensors[node.source.id])
        if node.source.type.element is not node.target.type.element:
            source = source.reshape(-1).view(node.target.type.element.numpy)
        self._define(node.target, source.reshape(node.target.type.shape))

    def _checked_indices(self, node: typed.CheckedIndices) -> None:
        indices = self.tensors[node.source.id]
        if np.any((indices < 0) | (indices >= node.below)):
            found = faults.describe(node, self.module.path, {})
            raise faults.error(found, indices, node.source.name)
        self._define(node.target, indices)

    def _scatter(self, node: typed.Scatter) -> None:
        array = self.tensors[node.base.id].copy()
        indices, updates = self.tensors[node.indices.id], self.tensors[node.updates.id]
        operation = SCATTER[node.op]
        # One after the other: duplicates accumulate in this order, each step rounded.
        for j in np.ndindex(indices.shape):
            array[indices[j]] = operation(array[indices[j]], updates[j])
        self._define(node.target, array)

    def _winograd_transform(self, node: typed.WinogradTransform) -> None:
        source = self.tensors[node.source.id]
        self._define(node.target, winograd_transform(node.matrix, source, node.axis))

    def _conv(self, node: typed.Conv) -> None:
        x, g = self.tensors[node.x.id], self.tensors[node.g.id]
        self._define(node.target, conv(node, x, g))

    def _map(self, node: typed.Map) -> None:
        arrays = [self._started(result) for result in node.results]
        named = [local for local in node.locals if local.name] if self.watch else []
        scalars = {local.id: _blank_over(node.loops, local.element) for local in named}
        for loops in _parts(node.loops, _widest_reduce(node)):
            points = Points(loops, self.tensors, self.steps)
            for store in node.stores:
                place = tuple(
                    np.broadcast_to(points.index(affine), points.shape) for affine in store.indices
                )
                value = np.broadcast_to(points.value(store.value), points.shape)
                arrays[store.result][place] = value
            for local in named:
                scalars[local.id][_place(loops, node.loops)] = points.value(local)
        for local in named:
            self._tell(local.name, scalars[local.id], local.span)
        for result, array in zip(node.results, arrays, strict=True):
            self._define(result.target, array)

    def _started(self, result: typed.Result) -> np.ndarray:
        """The result before the stores."""
        if result.init is None:
            return _blank(result.target)
        return np.array(self.tensors[result.init.id])

    def _call(self, node: typed.Call) -> None:
        kernel = self.module.kernel(node.kernel)
        banks = [[bank[value.id] for value in node.arguments] for bank in self.banks]
        prefix = f"{self.prefix}{kernel.source_name}."
        results = _Evaluation(
            self.module, kernel, banks, self.watch, prefix, self.blur, self.stacked
        ).outputs()
        for group in self._groups():
            for target, array in zip(node.targets, results[group], strict=True):
                self._define(target, array)

    def _collective(
        self,
        node: Any,
        exchange: Callable[[Any, list[np.ndarray]], list[np.ndarray]],
    ) -> None:
        results = exchange(node, [bank[node.source.id] for bank in self.banks])
        for group in self._groups():
            self._define(node.target, results[group])

    def _insert(self, node: typed.Insert) -> None:
        array = self.tensors[node.into.id].copy()
        at = Points((), self.tensors, self.steps)
        place = tuple(slice(None) if i is None else at.index(i) for i in node.indices)
        array[place] = self.tensors[node.part.id]
        self._define(node.target, array)

    def _for(self, node: typed.For) -> None:
        for _ in self._groups():
            for carry in node.carries:
                start = carry.initial
                array = _blank(carry.inside) if start is None else self.tensors[start.id]
                self._keep(carry.inside, array)
        for step in range(node.loop.lower, node.loop.upper):
            self.steps[node.loop.index.id] = step
            self._run(node.body)
            for _ in self._groups():
                # All at once: one carry's next may be another one's value in this iteration.
                after = [self.tensors[carry.next.id] for carry in node.carries]
                for carry, array in zip(node.carries, after, strict=True):
                    self._keep(carry.inside, array)
        for _ in self._groups():
            for carry in node.carries:
                self._keep(carry.result, self.tensors[carry.inside.id])


def _blank(value: typed.Value) -> np.ndarray:
    return np.zeros(value.type.shape, dtype=value.type.element.numpy)


def _blank_over(loops: tuple[typed.Loop, ...], element: Element) -> np.ndarray:
    return np.zeros([loop.extent for loop in loops], dtype=element.numpy)


def _place(part: tuple[typed.Loop, ...], whole: tuple[typed.Loop, ...]) -> tuple[slice, ...]:
    """Where a part of a box lies in an array over the whole."""
    return tuple(
        slice(one.lower - all_.lower, one.upper - all_.lower)
        for one, all_ in zip(part, whole, strict=True)
    )


def _unfinished(body: tuple[typed.Statement, ...]) -> frozenset[int]:
    """Ids of values that later statements complete: a tensor given by several nests."""
    found: set[int] = set()
    for node in body:
        if isinstance(node, typed.Map):
            found |= {r.init.id for r in node.results if r.init and r.init.name == r.target.name}
        elif isinstance(node, typed.Insert) and node.into.name == node.target.name:
            found.add(node.into.id)
        elif isinstance(node, typed.For):
            found |= _unfinished(node.body)
    return frozenset(found)


def _widest_reduce(node: typed.Map) -> int:
    """Most points of a reduction that each point of the map needs."""
    seen: dict[int, int] = {}

    def width(part: Any) -> int:
        if id(part) not in seen:
            seen[id(part)] = 1  # a leaf, until something is found below
            own = prod(loop.extent for loop in part.loops) if hasattr(part, "loops") else 1
            below = (getattr(part, name, None) for name in _BELOW)
            seen[id(part)] = own * max((width(b) for b in below if _is_scalar(b)), default=1)
        return seen[id(part)]

    scalars = [*(local for local in node.locals), *(store.value for store in node.stores)]
    return max(map(width, scalars), default=1)


_BELOW = ("operand", "left", "right", "condition", "then", "other", "base", "body", "value")


def _is_scalar(part: object) -> bool:
    return isinstance(part, typed.Scalar)


def _parts(loops: tuple[typed.Loop, ...], width: int) -> list[tuple[typed.Loop, ...]]:
    """The box cut along its longest loop, again and again, until each part is small."""
    points = width * prod(loop.extent for loop in loops)
    longest = max(loops, key=lambda loop: loop.extent, default=None)
    if points <= POINTS_AT_ONCE or longest is None or longest.extent == 1:
        return [loops]
    at, middle = loops.index(longest), (longest.lower + longest.upper) // 2
    halves = (
        typed.Loop(longest.index, longest.lower, middle),
        typed.Loop(longest.index, middle, longest.upper),
    )
    return [
        part for half in halves for part in _parts((*loops[:at], half, *loops[at + 1 :]), width)
    ]


_STATEMENTS: dict[type, Callable[[_Evaluation, Any], None]] = {
    typed.Table: _Evaluation._table,
    typed.Twiddle: _Evaluation._twiddle,
    typed.Dft: _Evaluation._dft,
    typed.Transpose: _Evaluation._transpose,
    typed.Reshape: _Evaluation._reshape,
    typed.CheckedIndices: _Evaluation._checked_indices,
    typed.Scatter: _Evaluation._scatter,
    typed.WinogradTransform: _Evaluation._winograd_transform,
    typed.Conv: _Evaluation._conv,
    typed.Map: _Evaluation._map,
    typed.Insert: _Evaluation._insert,
}
# What is not done by one group after the other.
_TOGETHER: dict[type, Callable[[_Evaluation, Any], None]] = {
    typed.Call: _Evaluation._call,
    typed.For: _Evaluation._for,
    typed.Alltoall: lambda e, node: e._collective(node, reference_groups.alltoall),
    typed.Allreduce: lambda e, node: e._collective(node, reference_groups.allreduce),
    typed.Allgather: lambda e, node: e._collective(node, reference_groups.allgather),
    typed.Own: lambda e, node: e._collective(node, reference_groups.own),
}
