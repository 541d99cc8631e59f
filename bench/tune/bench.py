# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cost model's radices beside those found by measurement, at lengths of every factor class.

For each length the likeliest orders of radices, by the model's own ranking, are compiled and run in
turns, and the best few once more in a last race, as `weft tune` does it. `ratio` is the least time
over that of the model's choice: 1 where the model has chosen the best, 0.9 where the best takes a
tenth less. The last record is how many lengths are within that.

What was measured is kept, so that a run goes on where one was stopped: in
WEFT_BENCH_TUNE_FILE=choices.jsonl, by default in Weft's cache, a file for each build of Weft.

WEFT_BENCH_KERNEL=lines_c64 or columns_c128 measures these instead of lines_c128,
WEFT_BENCH_TARGET=portable that target instead of the machine's best, WEFT_BENCH_LENGTHS="64 120"
these lengths, WEFT_BENCH_TRIALS=20 so many orders of each (default 10).
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from weft import machine, module_files, toolchain
from weft.tuning.tuner import Subject, Tuner

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "tune.weft"
GOAL = 0.9
SHARE_GOAL = 1.0  # of the lengths that reach it
TRIALS = 10
BYTES = 256 * 1024  # of all lines: they stay in the second cache
ITEM = {"lines_c128": 16, "lines_c64": 8, "columns_c128": 16}

lengths = module_files.load(HERE / "lengths.py")
keeping = module_files.load(HERE.parent / "keeping.py")


def records() -> Iterator[dict[str, Any]]:
    """One record a length, and one of all."""
    kernel = os.environ.get("WEFT_BENCH_KERNEL") or "lines_c128"
    target = os.environ.get("WEFT_BENCH_TARGET") or toolchain.default_target()
    trials = int(os.environ.get("WEFT_BENCH_TRIALS") or TRIALS)
    asked = os.environ.get("WEFT_BENCH_LENGTHS", "").split()
    wanted = [int(word) for word in asked] or lengths.chosen()
    table = machine.load(target).digest[:8]
    file = keeping.file_of("WEFT_BENCH_TUNE_FILE", f"tune-{target}-{kernel}-{table}")
    kept = {entry["n"]: entry for entry in keeping.read(file) if entry["most"] == trials}
    for n in wanted:
        if n not in kept:
            kept[n] = measure(kernel, target, n, trials)
            keeping.append(file, kept[n])
        yield to_record(kept[n])
    yield of_all(kernel, target, [kept[n] for n in wanted])


def measure(kernel: str, target: str, n: int, trials: int) -> dict[str, Any]:
    """The model's choice and the best of so many orders, each with its seconds."""
    b = max(1, BYTES // (ITEM[kernel] * n))
    tuner = Tuner(Subject.make(SOURCE, kernel, target, {"b": b, "n": n}))
    tuner.space = tuner.space.ranked(trials)
    result = tuner.run(math.inf)
    if result.why == "interrupted":
        raise KeyboardInterrupt
    outcomes = [*result.trials.values(), *result.final]
    reference = min((o.reference for o in outcomes if not o.error), default=None)
    return {
        "kernel": kernel,
        "target": target,
        "n": n,
        "class": lengths.class_of(n),
        "most": trials,
        "trials": len(result.trials),
        "model": tuner.space.told(tuner.space.model),
        "best": tuner.space.told(result.best),
        "ratio": result.ratio,
        "flops": 5 * b * n * math.log2(n),
        "seconds": reference,
    }


def to_record(entry: dict[str, Any]) -> dict[str, Any]:
    rate = entry["flops"] / entry["seconds"] * 1e-9 if entry["seconds"] else None
    return {
        "suite": "tune",
        "case": f"{entry['n']} {entry['kernel']}",
        "metric": f"{entry['target']}, {entry['class']}, {entry['trials']} trials,"
        f" {entry['model'] or 'nothing to choose'}",
        "value": rate or 1,
        "unit": "GFlop/s" if rate else "order of radices",
        "peer": entry["best"],
        "peer_value": rate and rate / entry["ratio"],
        "ratio": entry["ratio"],
        "goal": GOAL,
        "met": entry["ratio"] >= GOAL,
    }


def of_all(kernel: str, target: str, entries: list[dict[str, Any]]) -> dict[str, Any]:
    good = sum(entry["ratio"] >= GOAL for entry in entries)
    mean = math.exp(sum(math.log(entry["ratio"]) for entry in entries) / len(entries))
    return {
        "suite": "tune",
        "case": f"all {kernel}",
        "metric": f"{target}, lengths within 10 % of the tuned, geometric mean {mean:.3f}",
        "value": good,
        "unit": f"of {len(entries)}",
        "peer": "",
        "peer_value": None,
        "ratio": good / len(entries),
        "goal": SHARE_GOAL,
        "met": good / len(entries) >= SHARE_GOAL,
    }
