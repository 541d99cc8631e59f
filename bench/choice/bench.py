# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The algorithm that the cost model chooses for a convolution beside those asked for by name.

Layers of one, two and three dimensions, with channels and filters from one to 128, chosen by a
seed (layers.py); all algorithms of a layer run in turns on one thread, called from Python. One
whose C is that of `auto` is not run for itself. The peer is the direct sum, `algorithm=direct`,
than which `auto` shall not be slower; a second record of a layer has the best algorithm of all, and
the last one how many layers are as fast as the direct sum.

What was measured is kept, so that a run goes on where one was stopped: in
WEFT_BENCH_CHOICE_FILE=choices.jsonl, by default in Weft's cache, a file for each build of Weft.
WEFT_BENCH_TARGET=avx2 measures that target instead of the machine's best, WEFT_BENCH_LAYERS=20 the
first so many layers.
"""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import weft
from weft import explanation, machine, module_files, toolchain
from weft.diagnostics import SourceError

HERE = Path(__file__).resolve().parent
TILES = (2, 3, 4, 5, 6)
# Straight-line code for more elements of a tile keeps the C compiler busy for half a minute.
MOST_POINTS = 256
# Of the direct sum's rate: what two runs of the same code differ by.
GOAL = 0.95
TOLERANCE = 2e-3

layers = module_files.load(HERE / "layers.py")
keeping = module_files.load(HERE.parent / "keeping.py")
racing = module_files.load(HERE.parent / "racing.py")


def records() -> Iterator[dict[str, Any]]:
    """Two records a layer, and one of all."""
    target = os.environ.get("WEFT_BENCH_TARGET") or toolchain.default_target()
    wanted = list(layers.chosen())
    if asked := os.environ.get("WEFT_BENCH_LAYERS"):
        wanted = wanted[: int(asked)]
    table = machine.load(target).digest[:8]
    file = keeping.file_of("WEFT_BENCH_CHOICE_FILE", f"choice-{target}-{table}")
    kept = {e["layer"]: e for e in keeping.read(file) if e["target"] == target}
    for layer in wanted:
        if layer.name not in kept:
            kept[layer.name] = measure(layer, target)
            keeping.append(file, kept[layer.name])
        yield from to_records(kept[layer.name])
    yield of_all(target, [kept[layer.name] for layer in wanted])


def measure(layer: Any, target: str) -> dict[str, Any]:
    """The seconds of each algorithm, and the one that the model chooses."""
    kernels = {"auto": weft.compile(layer.text("auto"), target=target)}
    dims = len(layer.results)
    tiles = [m for m in TILES if (m + layer.r - 1) ** dims <= MOST_POINTS]
    for algorithm in ("direct", *(f"winograd({m})" for m in tiles)):
        # Not every tile has points, nor every error.
        with contextlib.suppress(SourceError):
            kernels[algorithm] = weft.compile(layer.text(algorithm), target=target)
    random = np.random.default_rng(7)
    x, g = (
        random.uniform(-1, 1, p.shape).astype(p.dtype) for p in kernels["auto"]._compiled().inputs
    )
    wanted = kernels["auto"](x, g, threads=1)
    contestants, same = {}, []
    for algorithm, kernel in kernels.items():
        if algorithm != "auto" and kernel.asm["c"] == kernels["auto"].asm["c"]:
            same.append(algorithm)
            continue
        y = kernel(x, g, threads=1)
        if np.abs(y - wanted).max() > np.abs(wanted).max() * TOLERANCE:
            raise RuntimeError(f"{layer.name}: the results of {algorithm} are not those of auto")
        contestants[algorithm] = racing.Contestant(algorithm, calling(kernel, x, g, y), threads=1)
        contestants[algorithm].warm_up()
    racing.race(list(contestants.values()))
    seconds = {name: contestant.best for name, contestant in contestants.items()}
    return {
        "layer": layer.name,
        "target": target,
        "operations": layer.operations,
        "chosen": chosen(layer.text("auto"), target),
        "seconds": seconds | dict.fromkeys(same, seconds["auto"]),
    }


def calling(kernel: Any, x: np.ndarray, g: np.ndarray, y: np.ndarray) -> Any:
    def run(times: int) -> None:
        for _ in range(times):
            kernel(x, g, out=y, threads=1)

    return run


def chosen(text: str, target: str) -> str:
    """In the words of `weft explain`."""
    notes = explanation.explain(text, "layer", target, {})["notes"]
    said = [n["what"] for n in notes if n["pass"] == "factor-transform" and " by " in n["what"]]
    return str(said[0].split(" by ", 1)[1]) if said else "the only one"


def to_records(entry: dict[str, Any]) -> Iterator[dict[str, Any]]:
    seconds = entry["seconds"]
    auto = seconds["auto"]
    named = {name: time for name, time in seconds.items() if name != "auto"}
    best = min(named, key=lambda name: named[name])
    for peer, goal in (("direct", GOAL), (best, None)):
        yield {
            "suite": "choice",
            "case": entry["layer"],
            "metric": f"{entry['target']}, {entry['chosen']}",
            "value": entry["operations"] / auto * 1e-9,
            "unit": "GFlop/s",
            "peer": peer,
            "peer_value": entry["operations"] / named[peer] * 1e-9,
            "ratio": named[peer] / auto,
            "goal": goal,
            "met": None if goal is None else named[peer] / auto >= goal,
        }


def of_all(target: str, entries: list[dict[str, Any]]) -> dict[str, Any]:
    def best(entry: dict[str, Any]) -> float:
        return float(min(time for name, time in entry["seconds"].items() if name != "auto"))

    good = sum(e["seconds"]["direct"] / e["seconds"]["auto"] >= GOAL for e in entries)
    logs = [math.log(best(entry) / entry["seconds"]["auto"]) for entry in entries]
    return {
        "suite": "choice",
        "case": "all",
        "metric": f"{target}, layers no slower than the direct sum,"
        f" geometric mean beside the best algorithm {math.exp(sum(logs) / len(logs)):.3f}",
        "value": good,
        "unit": f"of {len(entries)}",
        "peer": "",
        "peer_value": None,
        "ratio": good / len(entries),
        "goal": 1.0,
        "met": good == len(entries),
    }
