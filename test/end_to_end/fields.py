# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs whose fields are to stay with the cores of the SW26010, and steps in NumPy."""

from typing import Any

import numpy as np

import weft


def run(source: str, *arrays: np.ndarray[Any, Any], kept: bool = True) -> Any:
    """The results, once it is seen that fields do stay (or do not), and that no core reads what
    another one has yet to write."""
    kernel = weft.compile(source, target="sw26010")
    results = kernel(*arrays)
    assert kernel.report["run"]["hazards"] == []
    assert ("weft_place(" in kernel.asm["slave.c"]) == kept
    return results


def laplace(u: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    total = -2.0 * u.ndim * u
    for axis in range(u.ndim):
        total = total + np.roll(u, 1, axis) + np.roll(u, -1, axis)
    return total


def rolls(dims: int, name: str = "u") -> str:
    terms = [f"roll({name}, {by}, axis={axis})" for axis in range(dims) for by in (1, -1)]
    return "(" + " + ".join(terms) + f" - {2.0 * dims}*{name})"
