# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mode="interpret": a kernel that NumPy evaluates statement by statement, for finding mistakes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

from weft.call import Parameter
from weft.diagnostics import CompilerBug, RunError, WeftError

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np

    from weft.diagnostics import Span
    from weft.semantics import typed

OnValue: TypeAlias = "Callable[[str, np.ndarray, int], object]"


class Interpreted:
    """For `Kernel`, what `Compiled` is for machine code."""

    def __init__(self, module: typed.Module, on_value: OnValue | None = None) -> None:
        self._module = module
        self._on_value = on_value
        entry = module.entry
        self.inputs = [_parameter(entry, value.name, value) for value in entry.inputs]
        self.outputs = [_parameter(entry, name, value) for name, value in entry.outputs]
        self.report: dict[str, Any] = {"name": entry.source_name, "sizes": dict(entry.sizes)}
        self.values: dict[str, np.ndarray] = {}

    @property
    def folder(self) -> Path:
        raise RunError(
            "an interpreted kernel has no IR, C, assembly or shared object",
            help="compile it without mode='interpret' (and WEFT_INTERPRET)",
        )

    def call(
        self,
        inputs: Sequence[np.ndarray],
        outputs: Sequence[np.ndarray],
        threads: SupportsIndex | None,
    ) -> None:
        from weft.semantics import reference

        del threads  # plain NumPy
        named = {p.name: array for p, array in zip(self.inputs, inputs, strict=True)}
        # A dictionary of its own each call: one that fails shows how far it came.
        self.values = values = {name: _read_only(array.copy()) for name, array in named.items()}
        raised: list[Exception] = []

        def watch(name: str, array: np.ndarray, span: Span) -> None:
            values[name] = shown = _read_only(array.view())
            if self._on_value is None:
                return
            try:
                self._on_value(name, shown, span.line)
            except Exception as error:
                raised.append(error)
                raise

        try:
            results = reference.evaluate(self._module, named, watch)
        except Exception as error:
            # What the user's own code raises is the user's to see.
            if error in raised or isinstance(error, (WeftError, MemoryError)):
                raise
            raise CompilerBug(f"{type(error).__name__}: {error}", stage="interpretation") from error
        for parameter, array in zip(self.outputs, outputs, strict=True):
            array[...] = results[parameter.name]

    def quick(self) -> None:
        """NumPy has no need to be quick."""

    def fault(self, status: int, inputs: Sequence[Any]) -> RunError:
        del inputs
        raise AssertionError(f"what is interpreted has no status, and here is {status}")


def _read_only(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


def _parameter(entry: typed.Kernel, name: str, value: typed.Value) -> Parameter:
    import numpy as np

    return Parameter(name, np.dtype(value.type.element.numpy), entry.arranged(value))
