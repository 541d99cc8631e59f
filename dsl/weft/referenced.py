# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reference evaluation behind the interface of a compiled kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from weft.call import Parameter
from weft.diagnostics import RunError

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np

    from weft.semantics import typed


class Referenced:
    """A typed module that NumPy evaluates; for `Kernel`, what `Compiled` is for machine code."""

    def __init__(self, module: typed.Module) -> None:
        self._module = module
        entry = module.entry
        self.inputs = [_parameter(value.name, value) for value in entry.inputs]
        self.outputs = [_parameter(name, value) for name, value in entry.outputs]
        self.report: dict[str, Any] = {"name": entry.source_name, "sizes": dict(entry.sizes)}

    @property
    def folder(self) -> Path:
        raise RunError("the reference evaluation has no C, assembly or shared object")

    def call(
        self, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray], threads: int | None
    ) -> None:
        from weft.semantics import reference

        del threads  # plain NumPy
        named = {p.name: array for p, array in zip(self.inputs, inputs, strict=True)}
        results = reference.evaluate(self._module, named)
        for parameter, array in zip(self.outputs, outputs, strict=True):
            array[...] = results[parameter.name]


def _parameter(name: str, value: typed.Value) -> Parameter:
    import numpy as np

    return Parameter(name, np.dtype(value.type.element.numpy), value.type.shape)
