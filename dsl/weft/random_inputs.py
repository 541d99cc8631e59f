# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs for kernels that nobody has given any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from weft.call import Parameter, empty_outputs


def random_inputs(parameters: Sequence[Parameter], seed: int) -> dict[str, np.ndarray]:
    """Numbers about zero; integers are small and not negative, for they may be indices."""
    random = np.random.default_rng(seed)
    inputs = {}
    values: Any
    for parameter, array in zip(parameters, empty_outputs(parameters, "inputs"), strict=True):
        kind = parameter.dtype.kind
        if kind in "ib":
            values = random.integers(0, 2 if kind == "b" else 10, parameter.shape)
        elif kind == "c":
            values = random.random(parameter.shape) + 1j * random.random(parameter.shape) - 0.5
        else:
            values = random.random(parameter.shape) - 0.5
        array[...] = values
        inputs[parameter.name] = array
    return inputs
