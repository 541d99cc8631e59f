# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls that are timed, and arrays that are kept: what all ways of `weft run` share."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

# A short run is repeated for a better time, as long as all runs together stay below this.
REPEAT_SECONDS = 1.0
REPEATS = 5


def timed(call: Callable[[], Any]) -> tuple[tuple[Any, ...], float]:
    """The outputs, and the best time of a few calls where they are short."""
    best, spent, runs = float("inf"), 0.0, 0
    while runs == 0 or (runs < REPEATS and spent + best < REPEAT_SECONDS):
        start = time.perf_counter()
        result = call()
        seconds = time.perf_counter() - start
        best, spent, runs = min(best, seconds), spent + seconds, runs + 1
    return result if isinstance(result, tuple) else (result,), best


def save(path: Path, outputs: Mapping[str, Any]) -> None:
    import io

    import numpy as np

    from weft.artifacts import write_whole

    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **outputs)
    write_whole(path, buffer.getvalue())
