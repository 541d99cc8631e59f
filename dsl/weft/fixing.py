# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels some of whose inputs stay the same: what `Kernel.fix` returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from weft.call import Parameter, as_array, check_input, check_name
from weft.compiled import Callee, Compiled
from weft.diagnostics import RunError
from weft.execution import Kernel

if TYPE_CHECKING:
    from weft.native._call import QuickCall

    # The kernels that prepare and run, of a kernel at its sizes and the inputs that are fixed.
    Parts = Callable[[Callee, tuple[str, ...]], tuple[Kernel, Kernel]]


class Bound:
    """A kernel at fixed sizes with some of its inputs given, as `Kernel` calls it."""

    def __init__(self, whole: Callee, given: Mapping[str, np.ndarray]) -> None:
        self.whole = whole
        self._given = {p.name: given[p.name] for p in whole.inputs if p.name in given}
        self.inputs: list[Parameter] = [p for p in whole.inputs if p.name not in given]
        self.outputs = whole.outputs
        self.report: dict[str, Any] = whole.report

    @property
    def folder(self) -> Path:
        return self.whole.folder

    def call(
        self,
        inputs: Sequence[np.ndarray],
        outputs: Sequence[np.ndarray],
        threads: SupportsIndex | None,
    ) -> None:
        self.whole.call(self.arranged(inputs), outputs, threads)

    def quick(self) -> QuickCall | None:
        if isinstance(self.whole, Compiled):
            return self.whole.quick(self._given)
        return None

    def fault(self, status: int, inputs: Sequence[Any]) -> RunError:
        return self.whole.fault(status, self.arranged(inputs))

    def arranged(self, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
        """All inputs of the whole, those that are given at their places."""
        rest = iter(inputs)
        return [
            self._given[p.name] if p.name in self._given else next(rest) for p in self.whole.inputs
        ]


def fixed(parts: Parts | None, kernel: Kernel, whole: Callee, arrays: Mapping[str, Any]) -> Kernel:
    """`kernel` with these inputs given; what depends on them alone is computed now.

    Args:
        parts: Compiles the two parts; None where nothing is compiled.
        whole: The kernel at its sizes.
        arrays: The inputs by their name.
    """
    names = [p.name for p in whole.inputs]
    _check(kernel, names, arrays)
    if int(whole.report.get("groups") or 1) > 1:
        raise RunError(
            f"{kernel.name}: no inputs of a kernel over groups can be fixed",
            argument=next(iter(arrays)),
            help="pass them at each call",
        )
    # Copies: what the caller does with its arrays afterwards changes no result.
    given = {
        p.name: np.array(check_input(p, as_array(p.name, arrays[p.name])))
        for p in whole.inputs
        if p.name in arrays
    }
    known: dict[str, np.ndarray] = dict(given)
    ran = whole
    trace = None
    if parts is not None:
        prepare, run = parts(whole, tuple(given))
        if prepare.outputs:
            made = prepare(*(given[p.name] for p in prepare.inputs))
            results = made if isinstance(made, tuple) else (made,)
            # A number comes as such, and is passed on as an array.
            known |= {
                p.name: np.asarray(value) for p, value in zip(prepare.outputs, results, strict=True)
            }
        ran = run._compiled()
        trace = run._trace
    return Kernel(
        kernel.name,
        kernel.target,
        [name for name in names if name not in given],
        compiled=Bound(ran, known),
        trace=trace,
        fixer=partial(fixed, None),
        origin=(_again, (kernel, given, tuple(tuple(p.shape) for p in whole.inputs))),
        source=kernel.source,
        given=[*kernel.fixed, *(p for p in whole.inputs if p.name in given)],
    )


def _again(
    kernel: Kernel, given: Mapping[str, np.ndarray], shapes: tuple[tuple[int, ...], ...]
) -> Kernel:
    """Of a kernel that took its sizes from a call before, at these."""
    kernel._at(shapes)
    return kernel.fix(**given)


def _check(kernel: Kernel, names: Sequence[str], arrays: Mapping[str, Any]) -> None:
    for name in arrays:
        fixed_before = [p.name for p in kernel.fixed]
        check_name(kernel.name, names, name, fixed_before, kernel.sizes)
    if not arrays:
        raise RunError(
            f"{kernel.name}: fix needs an input",
            expected=f"one of them by its name: {', '.join(names)}",
        )
    if len(arrays) == len(names):
        raise RunError(
            f"{kernel.name}: all inputs would be fixed",
            argument=names[-1],
            expected="one at least that calls give",
            help="call the kernel once and keep its results",
        )
