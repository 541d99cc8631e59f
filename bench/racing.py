# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Contestants that run in turns: what disturbs one disturbs all; and the peak beside them."""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from weft import openmp, toolchain
from weft.tuning import timing

HERE = Path(__file__).resolve().parent
BATCH_SECONDS = 1e-3
ROUNDS = 5
# What takes longer than this does not find in its caches what it left there.
WARM_SECONDS = 0.1


class Contestant(timing.Contestant):
    """`run(times)` does its work; `best` is the least time of one seen, in seconds.

    One that is `warmed` runs once more before each turn, so that it has its own data in the caches.
    """

    def __init__(
        self, name: str, run: Callable[[int], Any], threads: int, warmed: bool = False
    ) -> None:
        super().__init__(run, timing.clock(threads))
        self.name = name
        self._warmed = warmed

    def measure(self) -> float:
        if self._warmed and self.best < WARM_SECONDS:
            self._run(1)
        return super().measure()

    def warm_up(self) -> None:
        self.measure()
        while self.measure() < BATCH_SECONDS:
            self._times *= 2


def race(contestants: list[Contestant], least: int | None = None) -> None:
    """At least so many rounds, WEFT_BENCH_SECONDS=1 each of them for so long."""
    seconds = float(os.environ.get("WEFT_BENCH_SECONDS", "0.3"))
    rounds, spent = 0, 0.0
    while rounds < (ROUNDS if least is None else least) or spent < seconds:
        rounds += 1
        spent += min(contestant.measure() for contestant in contestants)


def records(
    cases: Iterable[Any], of_case: Callable[[Any, str, ctypes.CDLL], Iterator[dict[str, Any]]]
) -> Iterator[dict[str, Any]]:
    """What a suite's cases give that WEFT_BENCH_CASES asks for, on the target that is asked for."""
    target = os.environ.get("WEFT_BENCH_TARGET") or toolchain.default_target()
    only = tuple(os.environ.get("WEFT_BENCH_CASES", "").split())
    with tempfile.TemporaryDirectory(prefix="weft-bench-") as folder:
        loaded = harness(Path(folder))
        for case in cases:
            if not only or case.name.startswith(only):
                yield from of_case(case, target, loaded)


def entry_point(compiled: Any, threads: int) -> tuple[Any, np.ndarray]:
    """A kernel's C function, and memory for its scratch, aligned as it is to be."""
    native, name = compiled.loaded(), compiled.report["c_name"]
    memory = np.empty(getattr(native, name + "_scratch_bytes")() + 64, np.uint8)
    parallel = openmp.of(native)
    if parallel is not None:
        parallel.omp_set_num_threads(threads)
    return getattr(native, name), memory[-memory.ctypes.data % 64 :]


def repeat(call: Callable[[], Any], times: int) -> None:
    for _ in range(times):
        call()


def ranked(
    suite: str, case: Any, target: str, metric: str, ours: Contestant, peers: list[Contestant]
) -> Iterator[dict[str, Any]]:
    """One record a peer, the best first, against which the case's goal is."""
    rate = case.flops / ours.best
    threads = "1 thread" if case.threads == 1 else f"{case.threads} threads"
    for number, peer in enumerate(sorted(peers, key=lambda one: one.best)):
        ratio = peer.best / ours.best
        goal = case.goal if number == 0 and target == "avx512" else None
        yield {
            "suite": suite,
            "case": case.name,
            "metric": f"{target}, {threads}, {metric}",
            "value": rate * 1e-9,
            "unit": "GFlop/s",
            "peer": peer.name,
            "peer_value": case.flops / peer.best * 1e-9,
            "ratio": ratio,
            "goal": goal,
            "met": None if goal is None else ratio >= goal,
        }


def harness(folder: Path) -> ctypes.CDLL:
    """harness.c as a library in that folder."""
    compiler = toolchain.find_compiler()
    library = folder / "harness.so"
    command = [compiler.path, "-O3", "-march=native", "-std=gnu11", "-shared", "-fPIC"]
    subprocess.run([*command, str(HERE / "harness.c"), "-o", str(library)], check=True)
    loaded = ctypes.CDLL(str(library))
    loaded.multiply_adds.restype = ctypes.c_double
    return loaded


def peak(library: ctypes.CDLL, dtype: str) -> float:
    """Operations a second of one core that does nothing but multiply and add."""
    done = 0.0

    def run(_: int) -> None:
        nonlocal done
        done = library.multiply_adds(ctypes.c_long(100_000))

    contestant = Contestant("multiply-adds", run, threads=1)
    for _ in range(10):
        contestant.measure()
    best = done / contestant.best
    return best if dtype in ("float64", "complex128") else 2 * best
