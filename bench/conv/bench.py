# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of convolutional networks on one core and on two: Weft beside every installed library.

3x3 filters, stride 1, f32, what else ResNet-50 has, `ResNet-50-else`, and filters of one channel,
`MobileNet-V2`; the operations of the direct sum over the least time, whatever the algorithm. All
contestants run in turns on the same images. What they do before the call differs, so that each
layer has three records: `own layout`: filters prepared, images and results as each likes them
best, Weft with sixteen channels side by side or NCHW; `filters prepared`, images and results NCHW;
`all in the call`. Weft takes part with the fastest that it has under the same terms, its filters
fixed where they may be prepared. `metric` says what multiple of the measured peak of multiply-adds
the rate is. Sums over a network follow, each layer as often as it has it: `whole`, all operations
over all time, and the geometric mean of the rates. A result that errs by more than the largest
one's 1e-4 has no rate.

What was measured is kept, so that a run goes on where one was stopped: in
WEFT_BENCH_CONV_FILE=times.jsonl, by default in Weft's cache, a file for each build of Weft.
WEFT_BENCH_CASES="VGG-16" measures the layers whose names begin so, WEFT_BENCH_THREADS="1" on so
many cores, WEFT_BENCH_TARGET=portable that target instead of the machine's best.
"""

from __future__ import annotations

import ctypes
import math
import os
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from weft import driver, module_files, openmp, toolchain
from weft.call import empty_outputs
from weft.diagnostics import RunError
from weft.semantics.conv_layouts import BLOCK

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "conv.weft"
EXAMPLE = HERE.parent.parent / "examples" / "winograd"
GOAL = 1.1  # times the best peer, at each layer
ALLOWED = 1e-4
# Peers that are so much slower than the fastest at their first run do not run again.
HOPELESS = 1.6
ROUNDS = 3  # at least

host = module_files.load(EXAMPLE / "host.py")
keeping = module_files.load(HERE.parent / "keeping.py")
layers = module_files.load(HERE / "layers.py")
peers = module_files.load(HERE / "peers.py")
racing = module_files.load(HERE.parent / "racing.py")

# Weft's own ways of a layer, and what may be done before: kernels of conv.weft, the last two with
# their filters fixed, the last one with images and results in nchw16c.
OURS = {
    "layer_auto": peers.WHOLE,
    "layer_direct": peers.WHOLE,
    "layer_fixed": peers.PREPARED,
    "layer_blocked": peers.OWN,
}
AUTO, DIRECT, FIXED, BLOCKED = OURS


def records() -> Iterator[dict[str, Any]]:
    target = os.environ.get("WEFT_BENCH_TARGET") or toolchain.default_target()
    only = tuple(os.environ.get("WEFT_BENCH_CASES", "").split())
    file = keeping.file_of("WEFT_BENCH_CONV_FILE", "conv")
    kept = {(e["layer"], e["threads"], e["target"]): e for e in keeping.read(file)}
    entries = []
    with tempfile.TemporaryDirectory(prefix="weft-bench-") as folder:
        harness = racing.harness(Path(folder))
        for layer in layers.layers():
            if only and not layer.name.startswith(only):
                continue
            for threads in map(int, os.environ.get("WEFT_BENCH_THREADS", "1 2").split()):
                entry = kept.get((layer.name, threads, target))
                if entry is None:
                    entry = measure(layer, target, threads, harness)
                    keeping.append(file, entry)
                entries.append((layer, entry))
                yield from layer_records(layer, entry)
    yield from sums(entries)


def measure(layer: Any, target: str, threads: int, harness: ctypes.CDLL) -> dict[str, Any]:
    """`seconds`: (name, mode, least time) of each contestant."""
    requests = [(SOURCE, name + layer.kernel, layer.sizes) for name in (AUTO, DIRECT)]
    auto, direct = driver.compile_many(requests, target)
    (y,) = empty_outputs(auto.outputs)
    x, g = problem(layer)
    fixed: Any = auto.fix(g=g)._compiled()
    blocked, kept = in_blocks(layer, target, x, g)
    blocks = kept[-1]
    peak = racing.peak(harness, "float32") * threads
    running = []

    def enter(name: str, mode: str, run: Callable[[], Any], fetch: Callable[[], None]) -> None:
        y[...] = 0
        contestant = racing.Contestant(name, lambda times: repeat(run, times), threads, warmed=True)
        contestant.measure()
        fetch()
        compare(layer, name, y)
        contestant.mode = mode
        running.append(contestant)

    def unblocked() -> None:
        y[...] = blocks.transpose(0, 1, 4, 2, 3).reshape(y.shape)

    for name, compiled, arrays, fetch in (
        (AUTO, auto._compiled(), (x, g, y), lambda: None),
        (DIRECT, direct._compiled(), (x, g, y), lambda: None),
        (FIXED, fixed.whole, (*fixed.arranged([x]), y), lambda: None),
        (BLOCKED, blocked, kept, unblocked),
    ):
        enter(name, OURS[name], native_call(compiled, arrays, threads), fetch)
    for way in peers.ways((layer.pad, layer.stride), x, g, y, threads):
        enter(*way)
    running = [one for one in running if one.name in OURS or not hopeless(one, running)]
    for one in running:
        if one.best < racing.BATCH_SECONDS:
            one.warm_up()
    racing.race(running, ROUNDS)
    return {
        "layer": layer.name,
        "threads": threads,
        "target": target,
        "peak": max(peak, racing.peak(harness, "float32") * threads),
        "seconds": [(one.name, one.mode, one.best) for one in running],
    }


def in_blocks(
    layer: Any, target: str, x: np.ndarray, g: np.ndarray
) -> tuple[Any, tuple[np.ndarray, ...]]:
    """The layer on images in nchw16c, a network's first one on NCHW, and its arrays."""
    sizes = {name: layer.sizes[name] for name in "NHW"}
    if layer.groups == 1:
        sizes["L"] = layer.filters // BLOCK
    if layer.channels % BLOCK:
        name, sizes = "layer_first", sizes | {"C": layer.channels}
    else:
        name, sizes = BLOCKED, sizes | {"B": layer.channels // BLOCK}
        shape = (layer.images, layer.channels // BLOCK, BLOCK, layer.height, layer.width)
        x = np.ascontiguousarray(x.reshape(shape).transpose(0, 1, 3, 4, 2))
    kernel = driver.compile(SOURCE, name + layer.kernel, target=target, **sizes)
    (y,) = empty_outputs(kernel.outputs)
    fixed: Any = kernel.fix(g=g)._compiled()
    return fixed.whole, (*fixed.arranged([x]), y)


def hopeless(peer: Any, running: list[Any]) -> bool:
    others = [one.best for one in running if one.mode == peer.mode and one.name not in OURS]
    return bool(peer.best > HOPELESS * min(others))


def repeat(run: Callable[[], Any], times: int) -> None:
    for _ in range(times):
        run()


def native_call(compiled: Any, arrays: tuple[np.ndarray, ...], threads: int) -> Callable[[], Any]:
    """The C function on these arrays: what a program that uses the kernel calls."""
    native, name = compiled.loaded(), compiled.report["c_name"]
    parallel = openmp.of(native)
    memory = np.empty(getattr(native, name + "_scratch_bytes")() + 64, np.uint8)
    scratch = memory.ctypes.data + -memory.ctypes.data % 64
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in arrays]
    function, kept = getattr(native, name), (memory, arrays)

    def run() -> None:
        assert kept  # as long as this is
        if parallel is not None:
            parallel.omp_set_num_threads(threads)
        if function(*pointers, ctypes.c_void_p(scratch)) != 0:
            raise RunError(f"{name} failed")

    return run


@cache
def problem(layer: Any) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(7)
    shape = (layer.images, layer.channels, layer.height, layer.width)
    x = random.uniform(-1, 1, shape).astype(np.float32)
    filters = (layer.filters, layer.channels // layer.groups, layer.window, layer.window)
    g = random.uniform(-1, 1, filters).astype(np.float32)
    return x, g


@cache
def exact(layer: Any) -> tuple[list[int], np.ndarray]:
    """The results of some images in f64."""
    x, g = problem(layer)
    chosen = sorted({0, layer.images - 1})
    border = [(0, 0), (0, 0), (layer.pad, layer.pad), (layer.pad, layer.pad)]
    x = np.pad(x[chosen], border)
    if layer.groups == 1:
        return chosen, host.direct(x, g, layer.stride)
    parts = zip(np.split(x, layer.groups, 1), np.split(g, layer.groups), strict=True)
    return chosen, np.concatenate([host.direct(*part, layer.stride) for part in parts], 1)


def compare(layer: Any, name: str, y: np.ndarray) -> None:
    chosen, wanted = exact(layer)
    error = host.relative_error(y[chosen], wanted)
    if not (error <= ALLOWED and np.isfinite(y).all()):
        raise RunError(f"conv {layer.name}: {name}: wrong by {error:.1e} of the largest result")


# ---- records -------------------------------------------------------------------------------------


def fastest(entry: dict[str, Any], mode: str, ours: bool) -> tuple[str, float] | None:
    """Name and time under terms that allow what stricter ones do."""
    allowed = peers.MODES[peers.MODES.index(mode) :]
    found = [
        (name, seconds)
        for name, of, seconds in entry["seconds"]
        if of in allowed and (name in OURS) == ours and name != DIRECT
    ]
    return min(found, key=lambda one: one[1], default=None)


def layer_records(layer: Any, entry: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for mode in peers.MODES:
        ours, peer = (fastest(entry, mode, own) for own in (True, False))
        if ours is not None and peer is not None:
            rates = [layer.flops / one[1] for one in (ours, peer)]
            goal = GOAL if entry["target"] == "avx512" and mode == peers.OWN else None
            yield record(layer.name, entry, mode, rates, peer[0], goal)
    direct = next(seconds for name, _, seconds in entry["seconds"] if name == DIRECT)
    auto = fastest(entry, peers.WHOLE, True)
    if auto is not None:
        rates = [layer.flops / seconds for seconds in (auto[1], direct)]
        yield record(layer.name, entry, peers.WHOLE, rates, "Weft direct", None)


def record(
    case: str,
    entry: dict[str, Any],
    mode: str,
    rates: list[float],
    peer: str,
    goal: float | None,
) -> dict[str, Any]:
    ours, theirs = rates
    threads = "1 thread" if entry["threads"] == 1 else f"{entry['threads']} threads"
    return {
        "suite": "conv",
        "case": case,
        "metric": f"{entry['target']}, {threads}, {mode}, {ours / entry['peak']:.2f} of peak",
        "value": ours * 1e-9,
        "unit": "GFlop/s",
        "peer": peer,
        "peer_value": theirs * 1e-9,
        "ratio": ours / theirs,
        "goal": goal,
        "met": None if goal is None else ours / theirs >= goal,
    }


def sums(entries: list[tuple[Any, dict[str, Any]]]) -> Iterator[dict[str, Any]]:
    """Of each network whose layers are all there."""
    groups: dict[tuple[str, int], list[tuple[Any, dict[str, Any]]]] = {}
    for layer, entry in entries:
        groups.setdefault((layer.suite, entry["threads"]), []).append((layer, entry))
    for (suite, threads), group in groups.items():
        if len(group) < sum(layer.suite == suite for layer in layers.layers()):
            continue
        for mode in peers.MODES:
            both = []
            for own in (True, False):
                found = [fastest(entry, mode, own) for _, entry in group]
                if None not in found:
                    both.append([one[1] for one in found if one is not None])
            if len(both) < 2:
                continue
            peak = max(entry["peak"] for _, entry in group)
            told = {"target": group[0][1]["target"], "threads": threads, "peak": peak}
            total = sum(layer.times * layer.flops for layer, _ in group)
            whole = [total / _weighted(group, seconds) for seconds in both]
            yield record(f"{suite} whole", told, mode, whole, "best of each layer", None)
            mean = [_geometric_mean(group, seconds) for seconds in both]
            yield record(f"{suite} geometric mean", told, mode, mean, "best of each layer", None)


def _weighted(group: list[tuple[Any, Any]], seconds: list[float]) -> float:
    return sum(layer.times * one for (layer, _), one in zip(group, seconds, strict=True))


def _geometric_mean(group: list[tuple[Any, Any]], seconds: list[float]) -> float:
    logarithms = [
        layer.times * math.log(layer.flops / one)
        for (layer, _), one in zip(group, seconds, strict=True)
    ]
    return math.exp(sum(logarithms) / sum(layer.times for layer, _ in group))
