# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the FT paper chose by trying, tried on the emulated core group.

- copies of an innermost body (`unroll N` of the schedule) and forms of complex numbers in vectors
  (`complex FORM`), for an iteration of 3D-32, each against what the compiler chooses by itself;
- each pass left out, against all of them: dual issue is the pass `schedule-dual-issue` where the
  pipeline has it;
- the length of runs in main memory, from 1 to 64 elements: columns of 32 points, of which each
  core takes as many neighbours, by DMA and no exchange; and the columns of 3D-512's transform
  along y, whose cores exchange until runs are as long (`exchange N`). The rate is of the bytes in
  and out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import weft
from weft import pipeline
from weft.diagnostics import RunError

FFT = Path(__file__).resolve().parent.parent / "fft" / "fft.weft"
COPIES = (1, 2, 4, 8)
FORMS = ("split", "interleaved", "six_shuffle")
RUNS = (1, 2, 4, 8, 16, 32, 64)
# What the paper found best.
BEST_COPIES, BEST_FORM, BEST_RUN = 2, "interleaved", 8
CORES, POINTS_OF_A_COLUMN = 64, 32

# Seconds of an iteration of a program's text without some passes.
Iteration = Callable[[str, tuple[str, ...]], float]


def scheduled(source: str, directive: str) -> str:
    """The program with one directive for the core group."""
    return f"{source}\nschedule ft on sw26010:\n    {directive}\n"


def of_schedules(schemes: dict[str, str], iteration: Iteration) -> Iterator[dict[str, Any]]:
    """Copies of bodies and forms of complex numbers; beside each, what the compiler chose."""
    for scheme, source in schemes.items():
        chosen = iteration(source, ())
        for sweep, settings, best in (
            ("unroll", COPIES, BEST_COPIES),
            ("complex", FORMS, BEST_FORM),
        ):
            times = {one: iteration(scheduled(source, f"{sweep} {one}"), ()) for one in settings}
            for setting, time in times.items():
                published = setting == best
                yield {
                    "suite": "ft-paper",
                    "case": f"3D-32 {scheme}: {sweep} {setting}"
                    + (", the best as published" if published else ""),
                    "metric": "time of an iteration",
                    "value": time * 1e6,
                    "unit": "us",
                    "peer": "chosen by the compiler",
                    "peer_value": chosen * 1e6,
                    "ratio": chosen / time,
                    # What the compiler chose is not to lose to a setting by hand.
                    "goal": 1.0 if time == min(times.values()) else None,
                    "met": chosen <= 1.02 * time if time == min(times.values()) else None,
                }


def of_passes(schemes: dict[str, str], iteration: Iteration) -> Iterator[dict[str, Any]]:
    """Each pass that can be left out, left out."""
    for scheme, source in schemes.items():
        whole = iteration(source, ())
        flags = (step.flag for step in pipeline.steps("sw26010") if not step.is_needed)
        for flag in dict.fromkeys(flags):
            time = iteration(source, (flag,))
            yield {
                "suite": "ft-paper",
                "case": f"3D-32 {scheme}: without {flag}",
                "metric": "time of an iteration",
                "value": time * 1e6,
                "unit": "us",
                "peer": "all passes",
                "peer_value": whole * 1e6,
                "ratio": whole / time,
            }


def columns(run: int) -> float:
    """Bytes a second in and out in runs of as many elements, once the cores have started."""
    shape = (POINTS_OF_A_COLUMN, run * CORES)
    kernel = weft.compile(
        FFT.read_text(encoding="utf-8"),
        "columns_c128",
        target="sw26010",
        without=("insert-exchanges",),
        n=shape[0],
        b=shape[1],
    )
    x = np.random.default_rng(run).standard_normal((*shape, 2)).view(np.complex128)[..., 0]
    return rate(kernel, x, np.fft.fft(x, axis=0), f"columns in runs of {run}")


PLANES = """\
kernel planes[p: size, n: size, b: size](x: c128[p, n, b]) -> (y: c128[p, n, b]):
    y = dft(x, axis=1)
"""
PLANES_OF_A_GROUP, POINTS = 8, 512


def exchanged(run: int) -> float:
    """The same of planes as a group of 3D-512 has them, in runs that cores reach by exchanging."""
    shape = (PLANES_OF_A_GROUP, POINTS, POINTS)
    kernel = weft.compile(
        f"{PLANES}\nschedule planes on sw26010:\n    exchange {run}\n",
        "planes",
        target="sw26010",
        p=shape[0],
        n=shape[1],
        b=shape[2],
    )
    x = np.random.default_rng(run).standard_normal((*shape, 2)).view(np.complex128)[..., 0]
    return rate(kernel, x, np.fft.fft(x, axis=1), f"planes in runs of {run}")


def rate(kernel: weft.driver.Compiled, x: np.ndarray, wanted: np.ndarray, what: str) -> float:
    """Bytes a second in and out, once the cores have started."""
    found = kernel(x)
    if not np.abs(found - wanted).max() <= 1e-14 * np.abs(wanted).max():
        raise RunError(f"{what} are wrong")
    report = kernel.report["run"]
    cycles = sum(one["cycles"] - one["counters"]["spawn"] for one in report["phases"])
    seconds = cycles / report["machine"]["clock_hz"]
    return float(2 * x.nbytes / seconds)


def of_runs(roof: float) -> Iterator[dict[str, Any]]:
    for what, measured in (("columns by DMA", columns), ("columns, by exchanging,", exchanged)):
        for run in RUNS:
            found = measured(run)
            yield {
                "suite": "ft-paper",
                "case": f"{what} in runs of {run}"
                + (", the best as published" if run == BEST_RUN else ""),
                "metric": "bytes in and out",
                "value": found / 1e9,
                "unit": "GB/s",
                "peer": "DMA roof",
                "peer_value": roof / 1e9,
                "ratio": found / roof,
            }
