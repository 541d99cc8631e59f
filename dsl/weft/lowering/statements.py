# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements on whole tensors: tables, transforms, maps, calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weft.diagnostics import Span
from weft.lowering import collectives, index_notation, loops
from weft.lowering.expressions import Body
from weft.lowering.text import Writer, dense, listed, matrix_text, real
from weft.semantics import typed
from weft.semantics.types import Element, TensorType


class Statements:
    """Writes the statements of one kernel; knows the SSA values defined so far."""

    def __init__(
        self, writer: Writer, kernels: dict[str, typed.Kernel], groups: int | None = None
    ) -> None:
        self.writer = writer
        self.groups = groups
        self.kernels = kernels
        self.tensors: dict[int, str] = {}
        self.indices: dict[int, str] = {}

    def write(self, statements: tuple[typed.Statement, ...]) -> None:
        for statement in statements:
            _STATEMENTS[type(statement)](self, statement)

    def body(self) -> Body:
        return Body(self.writer, self.tensors, self.indices)

    def define(self, target: typed.Value) -> str:
        """A fresh SSA name for a value, after the user's."""
        self.tensors[target.id] = name = self.writer.fresh(target.name)
        return name

    def _op(self, target: typed.Value, text: str, span: Span) -> None:
        self.writer.op(f"{self.define(target)} = {text}", span, target.name)

    def empty(self, kind: TensorType, span: Span, name: str) -> str:
        """A tensor whose elements are still to be given."""
        result = self.writer.fresh(f"{name}_empty" if name else "empty")
        self.writer.op(f"{result} = tensor.empty() : {kind.mlir}", span, name)
        return result

    # ------------------------------------------------------------------- transforms, tables

    def _table(self, node: typed.Table) -> None:
        kind = node.target.type
        value = dense(node.data, kind.element)
        self._op(node.target, f"weft.table {value} : {kind.mlir}", node.span)

    def _twiddle(self, node: typed.Twiddle) -> None:
        text = f"weft.twiddle rows {node.rows} cols {node.columns} sign {node.sign}"
        self._op(node.target, f"{text} : {node.target.type.mlir}", node.span)

    def _dft(self, node: typed.Dft) -> None:
        """One op an axis, in the given order; the last one carries the scale."""
        source = self.tensors[node.source.id]
        for number, axis in enumerate(node.axes):
            last = number == len(node.axes) - 1
            attributes = []
            if last and node.scale is not None and node.scale != 1:
                attributes.append(f"scale = {real(node.scale, Element.F64)} : f64")
            if node.radices:
                attributes.append(f"radices = array<i64: {listed(node.radices)}>")
            shown = f" {{{listed(attributes)}}}" if attributes else ""
            result = self.writer.fresh(node.target.name)
            text = f"{result} = weft.dft {source} axis {axis} sign {node.sign}{shown}"
            self.writer.op(f"{text} : {node.target.type.mlir}", node.span, node.target.name)
            source = result
        self.tensors[node.target.id] = source

    def _transpose(self, node: typed.Transpose) -> None:
        text = f"weft.transpose {self.tensors[node.source.id]} perm [{listed(node.permutation)}]"
        types = f"{node.source.type.mlir} -> {node.target.type.mlir}"
        self._op(node.target, f"{text} : {types}", node.span)

    def _reshape(self, node: typed.Reshape) -> None:
        types = f"{node.source.type.mlir} -> {node.target.type.mlir}"
        text = f"weft.reshape {self.tensors[node.source.id]} : {types}"
        self._op(node.target, text, node.span)

    # ---------------------------------------------------------------- places that data says

    def _checked_indices(self, node: typed.CheckedIndices) -> None:
        text = f"weft.checked_indices {self.tensors[node.source.id]} below {node.below}"
        self._op(node.target, f"{text} code {node.code} : {node.target.type.mlir}", node.span)

    def _scatter(self, node: typed.Scatter) -> None:
        parts = (node.base, node.indices, node.updates)
        text = f"weft.scatter {node.op} {listed(self.tensors[value.id] for value in parts)}"
        types = f"{listed(value.type.mlir for value in parts)} -> {node.target.type.mlir}"
        self._op(node.target, f"{text} : {types}", node.span)

    # ------------------------------------------------------------------------- convolution

    def _winograd_transform(self, node: typed.WinogradTransform) -> None:
        source, target = node.source.type, node.target.type
        text = f"weft.winograd_transform {self.tensors[node.source.id]} axis {node.axis}"
        matrix = matrix_text(node.matrix, target.element.real)
        self._op(node.target, f"{text} matrix {matrix} : {source.mlir} -> {target.mlir}", node.span)

    def _conv(self, node: typed.Conv) -> None:
        real_type = node.target.type.element.real
        text = f"weft.conv {self.tensors[node.x.id]}, {self.tensors[node.g.id]}"
        text += f" pad [{listed(node.pad)}] stride [{listed(node.stride)}]"
        text += f' groups {node.groups} algorithm "{node.algorithm}"'
        attributes = [
            f'{name} = "{layout}"'
            for name, layout in (("layout", node.layout), ("out_layout", node.out_layout))
            if layout != "nchw"
        ]
        if node.transforms:
            shown = []
            for t in node.transforms:
                named = (("AT", t.AT), ("G", t.G), ("BT", t.BT))
                matrices = listed(f"{name} = {matrix_text(m, real_type)}" for name, m in named)
                shown.append(f"{{m = {t.m} : i64, r = {t.r} : i64, {matrices}}}")
            attributes.append(f"transforms = [{listed(shown)}]")
        if attributes:
            text += f" {{{listed(attributes)}}}"
        types = f"{node.x.type.mlir}, {node.g.type.mlir} -> {node.target.type.mlir}"
        self._op(node.target, f"{text} : {types}", node.span)

    # ------------------------------------------------------------------------------- maps

    def _map(self, node: typed.Map) -> None:
        inits = self._inits(node)
        names = [self.writer.fresh(result.target.name) for result in node.results]
        types = listed(result.target.type.mlir for result in node.results)
        first = node.results[0].target.name
        # The opening shows the stores over the names of the block arguments, known only inside.
        opening_line = len(self.writer.lines)
        with self.writer.region("", f"}} : {types}", node.span, first):
            body = self.body()
            points = body.arguments(node.loops)
            indices = [loop.index for loop in node.loops]
            for local in node.locals:
                body.value(local)
            values = [body.value(store.value) for store in node.stores]
            kinds = listed(store.value.element.mlir for store in node.stores)
            self.writer.op(f"weft.yield {listed(values)} : {kinds}", node.span)
            stores = [index_notation.affine_map(indices, points, s.indices) for s in node.stores]
        opening = f"{listed(names)} = weft.map {index_notation.box(node.loops)}"
        if inits:
            opening += f" init({listed(inits)} : {types})"
        opening += f" stores [{listed(stores)}]"
        if len(node.results) > 1:
            opening += f" into [{listed(store.result for store in node.stores)}]"
        self.writer.lines[opening_line] += opening + " {"
        for result, name in zip(node.results, names, strict=True):
            self.tensors[result.target.id] = name

    def _inits(self, node: typed.Map) -> list[str]:
        """One for each result, or none where the map gives every element of all results."""
        if all(result.complete for result in node.results):
            return []
        return [
            self.tensors[result.init.id]
            if result.init is not None
            else self.empty(result.target.type, result.target.span, result.target.name)
            for result in node.results
        ]

    # --------------------------------------------------------------------- calls, elements

    def _call(self, node: typed.Call) -> None:
        callee = self.kernels[node.kernel]
        arguments = listed(self.tensors[value.id] for value in node.arguments)
        takes = listed(value.type.mlir for value in callee.inputs)
        gives = listed(value.type.mlir for _, value in callee.outputs)
        names = listed([self.define(target) for target in node.targets])
        text = f"{names} = func.call @{callee.name}({arguments}) : ({takes}) -> ({gives})"
        self.writer.op(text, node.span, node.targets[0].name)

    def _insert(self, node: typed.Insert) -> None:
        body = self.body()
        indices = ["0" if i is None else body.index(i, node.span) for i in node.indices]
        part, into = self.tensors[node.part.id], f"{self.tensors[node.into.id]}[{listed(indices)}]"
        kind = node.into.type
        if None not in node.indices:
            value = body.element(part, node.part.type, [], node.span)
            self._op(node.target, f"tensor.insert {value} into {into} : {kind.mlir}", node.span)
            return
        extents = [n if i is None else 1 for n, i in zip(kind.shape, node.indices, strict=True)]
        text = f"tensor.insert_slice {part} into {into} [{listed(extents)}]"
        text += f" [{listed([1] * len(extents))}] : {node.part.type.mlir} into {kind.mlir}"
        self._op(node.target, text, node.span)

    def _for(self, node: typed.For) -> None:
        loops.write(self, node)


_STATEMENTS: dict[type, Callable[[Statements, Any], None]] = {
    typed.Table: Statements._table,
    typed.Twiddle: Statements._twiddle,
    typed.Dft: Statements._dft,
    typed.Transpose: Statements._transpose,
    typed.Reshape: Statements._reshape,
    typed.CheckedIndices: Statements._checked_indices,
    typed.Scatter: Statements._scatter,
    typed.WinogradTransform: Statements._winograd_transform,
    typed.Conv: Statements._conv,
    typed.Map: Statements._map,
    typed.Call: Statements._call,
    typed.Insert: Statements._insert,
    typed.Alltoall: collectives.alltoall,
    typed.Allreduce: collectives.allreduce,
    typed.Allgather: collectives.allgather,
    typed.Own: collectives.own,
    typed.For: Statements._for,
}
