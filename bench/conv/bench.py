# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of convolutional networks on one core: Weft beside loops in C, and beside itself.

The layers are those of examples/winograd/smallrealworld.conf, the data and the judge its host.py: a
result beyond its bound has no rate. Rates count the operations of the direct sum; times are those
of the one thread on its core: waiting for a core, on a machine in use, is not counted. Against
naive.c, seven loops by gcc -O3 -march=native, run once; where that is more than NAIVE_FLOPS
operations, on the first of the filters only (the peer's name then says how many):

    winograd4, F(4x4, 3x3) written out; conv_winograd4, the built-in        goal 20 where C >= 64

and conv_auto beside conv_direct. Where PyTorch can be imported, its conv2d is one more peer.
WEFT_BENCH_LAYERS="2 8" measures these layers only, counted from 0, WEFT_BENCH_TARGET=portable that
target instead of the machine's best.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from weft import driver, module_files, toolchain
from weft.diagnostics import RunError
from weft.hosting import Case

HERE = Path(__file__).resolve().parent
EXAMPLE = HERE.parent.parent / "examples" / "winograd"
LAYERS = "smallrealworld"
GOAL = 20.0
GOAL_CHANNELS = 64
NAIVE_FLOPS = 2e9
SECONDS = 1.0  # of each contestant and layer, at least three calls
CALLS = 3


class Rate(NamedTuple):
    """Who, and the best rate of several calls in GFlop/s."""

    name: str
    best: float


def records() -> Iterator[dict[str, Any]]:
    host = module_files.load(EXAMPLE / "host.py")
    target = os.environ.get("WEFT_BENCH_TARGET") or toolchain.default_target()
    layers = host.layers(LAYERS)
    wanted = [int(n) for n in os.environ.get("WEFT_BENCH_LAYERS", "").split()]
    with tempfile.TemporaryDirectory(prefix="weft-bench-") as folder:
        library = _compiled(Path(folder))
        for number in wanted or range(len(layers)):
            yield from _layer(host, target, layers[number], library)


def _layer(
    host: Any, target: str, sizes: dict[str, int], library: ctypes.CDLL
) -> Iterator[dict[str, Any]]:
    name = "x".join(str(sizes[letter]) for letter in "CHWK")
    naive = _naive(host, sizes, library)
    torch = _torch(host, sizes)
    rates = {k: _weft(host, target, k, sizes) for k in ("winograd4", "conv_winograd4")}
    many = sizes["C"] >= GOAL_CHANNELS and target == "avx512"
    for ours in rates.values():
        yield _record(name, target, ours, naive, GOAL if many else None)
    auto, direct = (_weft(host, target, k, sizes) for k in ("conv_auto", "conv_direct"))
    yield _record(name, target, auto, direct, None)
    if torch is not None:
        best = max([*rates.values(), auto], key=lambda rate: rate.best)
        yield _record(name, target, best, torch, None)


def _record(case: str, target: str, ours: Rate, peer: Rate, goal: float | None) -> dict[str, Any]:
    ratio = ours.best / peer.best
    return {
        "suite": "conv",
        "case": f"{case} {ours.name}",
        "metric": f"operations of the direct sum, {target}, 1 thread",
        "value": ours.best,
        "unit": "GFlop/s",
        "peer": peer.name,
        "peer_value": peer.best,
        "ratio": ratio,
        "goal": goal,
        "met": None if goal is None else ratio >= goal,
    }


def _best(call: Callable[[], Any], flops: float) -> float:
    """The best rate; the first call warms up."""
    call()
    best, spent, calls = float("inf"), 0.0, 0
    while calls < CALLS or spent < SECONDS:
        start = time.thread_time()
        call()
        seconds = time.thread_time() - start
        best, spent, calls = min(best, seconds), spent + seconds, calls + 1
    return flops / best * 1e-9


def _weft(host: Any, target: str, kernel: str, sizes: dict[str, int]) -> Rate:
    case = Case(LAYERS, sizes, kernel)
    (entry,) = driver.compile_many([(EXAMPLE / "winograd.weft", kernel, sizes)], target)
    data = host.inputs(case)
    y = np.empty(_result_shape(sizes), np.float32)
    rate = _best(lambda: entry(**data, out=y, threads=1), host.flops(sizes))
    verdict = host.check(case, {"y": y})
    if not verdict.holds:
        raise RunError(f"conv {sizes}: {kernel}: {verdict.lines[-1]}")
    return Rate(kernel, rate)


def _result_shape(sizes: dict[str, int]) -> tuple[int, ...]:
    return sizes["N"], sizes["K"], sizes["H"] - 2, sizes["W"] - 2


def _compiled(folder: Path) -> ctypes.CDLL:
    compiler = toolchain.find_compiler()
    library = folder / "naive.so"
    flags = ["-O3", "-march=native", "-std=c11", "-shared", "-fPIC"]
    command = [compiler.path, *flags, str(HERE / "naive.c"), "-o", str(library)]
    subprocess.run(command, check=True)
    loaded = ctypes.CDLL(str(library))
    loaded.conv_naive.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_long] * 5
    loaded.conv_naive.restype = None
    return loaded


def _naive(host: Any, sizes: dict[str, int], library: ctypes.CDLL) -> Rate:
    """One run, on as many filters as the operations allow; the time is linear in their number."""
    own = host.flops(sizes) / sizes["K"]
    filters = min(sizes["K"], max(1, int(NAIVE_FLOPS / own)))
    part = {**sizes, "K": filters}
    data = host.inputs(Case(LAYERS, sizes, "conv_direct"))
    x, g = data["x"], data["g"][:filters]
    y = np.empty(_result_shape(part), np.float32)
    start = time.thread_time()
    pointers = (array.ctypes.data for array in (x, g, y))
    library.conv_naive(*pointers, *(part[name] for name in "NCKHW"))
    rate = host.flops(part) / (time.thread_time() - start) * 1e-9
    error = host.relative_error(y, host.direct(x, g))
    if not error <= host.bound("conv_direct", sizes["C"]):
        raise RunError(f"conv {sizes}: naive.c: error {error:.2e}")
    told = "loops in C -O3 -march=native"
    return Rate(told if filters == sizes["K"] else f"{told}, {filters} filters", rate)


def _torch(host: Any, sizes: dict[str, int]) -> Rate | None:
    try:
        import torch
    except ImportError:
        return None
    torch.set_num_threads(1)
    case = Case(LAYERS, sizes, "conv_auto")
    x, g = (torch.from_numpy(array) for array in host.inputs(case).values())
    with torch.inference_mode():
        rate = _best(lambda: torch.nn.functional.conv2d(x, g), host.flops(sizes))
        y = torch.nn.functional.conv2d(x, g).numpy()
    verdict = host.check(case, {"y": y})
    if not verdict.holds:
        raise RunError(f"conv {sizes}: torch: {verdict.lines[-1]}")
    return Rate(f"PyTorch {torch.__version__}", rate)
