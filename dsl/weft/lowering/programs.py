# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels and programs: one func.func an instance."""

from __future__ import annotations

from weft.lowering.statements import Statements
from weft.lowering.text import Writer, listed, quoted
from weft.parts import Fixed
from weft.semantics import typed


def write(
    writer: Writer,
    kernel: typed.Kernel,
    kernels: dict[str, typed.Kernel],
    fixed: Fixed | None = None,
) -> None:
    """The entry is the public function; the kernels that it calls are private, to be inlined."""
    is_entry = kernel is list(kernels.values())[-1]
    with writer.function():
        statements = Statements(writer, kernels, kernel.groups)
        arguments = []
        for value in kernel.inputs:
            name = statements.define(value)
            location = writer.location(value.span, value.name)
            is_fixed = is_entry and fixed is not None and value.name in fixed.names
            mark = ", weft.fixed" if is_fixed else ""
            label = f"{{weft.name = {quoted(value.name)}{mark}}}"
            arguments.append(f"{name}: {value.type.mlir} {label} {location}")
        results = listed(
            f"{value.type.mlir} {{weft.name = {quoted(name)}}}" for name, value in kernel.outputs
        )
        marks = ["weft.entry"] * is_entry + ["weft.program"] * kernel.is_program
        if is_entry and fixed is not None:
            marks.append(f"weft.part = {quoted(fixed.part)}")
        if is_entry and kernel.unroll is not None:
            marks.append(f"weft.unroll = {kernel.unroll} : i64")
        if is_entry and kernel.complex_form is not None:
            marks.append(f"weft.complex = {quoted(kernel.complex_form)}")
        if is_entry and kernel.exchange is not None:
            marks.append(f"weft.exchange = {kernel.exchange} : i64")
        if is_entry and kernel.split is not None:
            marks.append(f"weft.split = {kernel.split} : i64")
        if is_entry and kernel.order is not None:
            marks.append(f"weft.order = {quoted(kernel.order)}")
        if is_entry and kernel.asked:
            marks.append(f"weft.schedule = [{listed(map(quoted, kernel.asked))}]")
        if is_entry and kernel.groups is not None:
            marks.append(f"weft.groups = {kernel.groups} : i64")
        attributes = f" attributes {{{listed(marks)}}}" if marks else ""
        access = "" if is_entry else "private "
        signature = f"func.func {access}@{kernel.name}({listed(arguments)}) -> ({results})"
        with writer.region(f"{signature}{attributes} {{", "}", kernel.span, kernel.source_name):
            statements.write(kernel.body)
            _return(statements, kernel)


def _return(statements: Statements, kernel: typed.Kernel) -> None:
    values = listed(statements.tensors[value.id] for _, value in kernel.outputs)
    types = listed(value.type.mlir for _, value in kernel.outputs)
    statements.writer.op(f"func.return {values} : {types}", kernel.span)
