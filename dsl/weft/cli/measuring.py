# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls that are timed and judged, and arrays that are kept: what all ways of `weft run` share."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from weft.execution import Kernel
    from weft.hosting import Case, Host, Verdict

# A short run is repeated for a better time, as long as all runs together stay below this.
REPEAT_SECONDS = 1.0
REPEATS = 5


def called(kernel: Kernel, inputs: Mapping[str, Any], **options: Any) -> Any:
    """By place where all inputs are there: one may be called as an argument of calls."""
    names = [p.name for p in kernel.inputs]
    if {*names} != {*inputs}:
        return kernel(**inputs, **options)
    return kernel(*(inputs[name] for name in names), **options)


def timed(call: Callable[[], Any]) -> tuple[tuple[Any, ...], float]:
    """The outputs, and the best time of a few calls where they are short."""
    best, spent, runs = float("inf"), 0.0, 0
    while runs == 0 or (runs < REPEATS and spent + best < REPEAT_SECONDS):
        start = time.perf_counter()
        result = call()
        seconds = time.perf_counter() - start
        best, spent, runs = min(best, seconds), spent + seconds, runs + 1
    return result if isinstance(result, tuple) else (result,), best


def judged(
    host: Host | None,
    case: Case,
    outputs: dict[str, Any],
    entry: Kernel,
    source: Path | str,
    inputs: Mapping[str, Any],
) -> Verdict:
    """The host's verdict; where it has none, that of the plain NumPy evaluation."""
    from weft import driver
    from weft.hosting import Verdict, compare

    lines = []
    if host is not None:
        verdict = host.check(case, outputs)
        if verdict.holds is not None:
            return verdict
        told = f"not comparable with {f'case {case}' if case else 'any case'}"
        lines = [*verdict.lines, f"{told}: compared with the reference evaluation instead"]
    if entry.target == "interpret":
        return Verdict(None, lines)
    sizes: dict[str, Any] = entry.sizes
    reference = driver.compile(source, entry.name, mode="interpret", sizes=sizes)
    expected = called(reference, inputs)
    expected = expected if isinstance(expected, tuple) else (expected,)
    verdict = compare(outputs, dict(zip(outputs, expected, strict=True)))
    return Verdict(verdict.holds, [*lines, *verdict.lines])


def save(path: Path, outputs: Mapping[str, Any]) -> None:
    import io
    import zipfile

    import numpy as np

    from weft.artifacts import write_whole

    # As numpy.savez, which takes names of its own parameters for those.
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, value in outputs.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asanyarray(value), allow_pickle=False)
    write_whole(path, buffer.getvalue())
