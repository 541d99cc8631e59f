# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Least squares with lower bounds, drawn towards what is believed where the data says little."""

from __future__ import annotations

import numpy as np

SWEEPS = 10_000
CLOSE = 1e-9  # relative change of a sweep below which it is done


def fit(
    matrix: np.ndarray, values: np.ndarray, believed: np.ndarray, lowest: np.ndarray, pull: float
) -> np.ndarray:
    """x >= lowest that makes |matrix x - values|^2 + |pull (x - believed) / believed|^2 least.

    All of `believed` is positive. A coordinate at a time: the problem is convex and small.
    """
    strength = (pull / believed) ** 2
    square = matrix.T @ matrix + np.diag(strength)
    wanted = matrix.T @ values + strength * believed
    x: np.ndarray = np.maximum(believed, lowest)
    for _ in range(SWEEPS):
        before = x.copy()
        for k in range(len(x)):
            rest = wanted[k] - square[k] @ x + square[k, k] * x[k]
            x[k] = max(lowest[k], rest / square[k, k])
        if np.max(np.abs(x - before) / np.maximum(np.abs(x), 1e-30)) < CLOSE:
            break
    return x
