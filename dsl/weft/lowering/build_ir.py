# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Typed modules to one MLIR module, as text.

    build_ir    the module                         text            lines, names, locations, numbers
    programs    kernel -> func.func                statements      tensor statement -> weft op
    loops       for over time -> scf.for           expressions     scalar -> arith, math, complex
    arithmetic  operators by element type          index_notation  affine maps and boxes
    precomputed functions of indices -> tables

Every op and every block argument has a location; the text depends on nothing but the input.
"""

from __future__ import annotations

from collections.abc import Sequence

from weft.lowering import programs
from weft.lowering.precomputed import precomputed
from weft.lowering.text import Locations, Writer
from weft.parts import Fixed
from weft.semantics import typed
from weft.semantics.depth import deep_recursion


def lower(modules: Sequence[typed.Module], target: str, fixed: Fixed | None = None) -> str:
    """IR text of all modules together; kernel names are unique over all of them.

    `target` is the dictionary of the machine, as `Machine.attribute()` gives it. `Module.path` is
    what locations name. Of `fixed` inputs the entry's one part is marked.
    """
    locations = Locations()
    writer = Writer(locations)
    writer.path = modules[0].path
    span = modules[0].entry.span
    opening = f"module attributes {{weft.target = {target}}} {{"
    with deep_recursion(), writer.region(opening, "}", span):
        for module in modules:
            writer.path = module.path
            kernels = {kernel.name: precomputed(kernel) for kernel in module.kernels}
            for kernel in kernels.values():
                programs.write(writer, kernel, kernels, fixed)
        writer.path = modules[0].path
    return "\n".join([*writer.lines, *locations.lines()]) + "\n"
