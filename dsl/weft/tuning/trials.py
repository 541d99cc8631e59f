# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Schedules of one kernel, compiled as anybody compiles them, run on random inputs and timed.

What a schedule computes is compared with what the model's choice computes: a time of wrong results
is none.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from typing import Any

import numpy as np

from weft.call import address, empty_outputs
from weft.diagnostics import CompilerBug, RunError, SourceError
from weft.execution import Kernel
from weft.machine import Machine
from weft.random_inputs import random_inputs
from weft.tuning import timing
from weft.tuning.search import Outcome
from weft.tuning.space import Point

RACE_SECONDS = 0.03  # for each contestant
FINAL_SECONDS = 0.2
ROUNDS = 3  # at the least, of calls that take long
# Of the result's norm, in units of what the type resolves: orders of additions differ.
TOLERANCE = 1e4
SEED = 7


class Timed:
    """A compiled point, ready to be called again and again on the arrays of all."""

    def __init__(self, kernel: Kernel, contestant: timing.Contestant, held: ExitStack) -> None:
        self.kernel = kernel
        self.contestant = contestant
        self.held = held


class Trials:
    """The measurer of this machine. `build` compiles a point."""

    def __init__(self, build: Callable[[Point], Kernel], machine: Machine, threads: int) -> None:
        self._build = build
        self._machine = machine
        self._threads = threads
        self._harness: timing.Harness | None = None
        self._inputs: list[np.ndarray] = []
        self._outputs: list[np.ndarray] = []
        self._expected: list[np.ndarray] = []

    def race(self, points: Sequence[Point], reference: Point, final: bool) -> list[Outcome]:
        """Compiles what is new and runs all in turns."""
        errors: dict[Point, str] = {}
        built = self._built([reference, *points])
        running: dict[Point, Timed] = {reference: self._ready(reference, built[reference])}
        for point in points:
            try:
                running[point] = self._ready(point, built[point])
            except SourceError as error:
                errors[point] = error.render().partition("\n")[0]
            except (CompilerBug, RunError) as error:
                errors[point] = error.message
        timing.race(
            [timed.contestant for timed in running.values()],
            FINAL_SECONDS if final else RACE_SECONDS,
            ROUNDS,
        )
        base = running[reference].contestant.best
        outcomes = [
            Outcome(point, 0.0, base, errors[point])
            if point in errors
            else Outcome(point, running[point].contestant.best, base)
            for point in points
        ]
        for timed in running.values():
            timed.held.close()
        return outcomes

    def _built(self, points: Sequence[Point]) -> dict[Point, Future[Kernel]]:
        """Several at once: nothing is timed meanwhile."""
        with ThreadPoolExecutor(min(len(points), os.cpu_count() or 1)) as pool:
            found = {point: pool.submit(self._build, point) for point in points}
            try:
                wait(found.values())
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return found

    def _ready(self, point: Point, built: Future[Kernel]) -> Timed:
        kernel = built.result()
        compiled: Any = kernel._compiled()
        if not self._inputs:
            self._inputs = list(random_inputs(compiled.inputs, SEED).values())
            self._outputs = empty_outputs(compiled.outputs)
            count = len(self._inputs) + len(self._outputs) + 1 + (compiled.groups > 1)
            if not self._machine.is_core_group:
                self._harness = timing.Harness(self._machine, [count])
        for output in self._outputs:
            output[...] = 0
        compiled.call(self._inputs, self._outputs, self._threads)
        self._compare(point)
        held = ExitStack()
        if self._harness is None:
            return Timed(kernel, timing.Known(compiled.report["run"]["kernel_seconds"]), held)
        if compiled.groups > 1:
            turns = self._in_groups(compiled, self._harness)
            return Timed(kernel, timing.Contestant(turns, time.perf_counter), held)
        function, scratch = held.enter_context(compiled.held(self._threads))
        pointers = [*(address(array) for array in (*self._inputs, *self._outputs)), scratch]
        run = self._harness.calls(function, pointers)
        return Timed(kernel, timing.Contestant(run, timing.clock(self._threads)), held)

    def _in_groups(self, compiled: Any, harness: timing.Harness) -> Callable[[int], None]:
        """All groups, as a call has them: each makes its calls in a thread of its own."""

        def run(times: int) -> None:
            def work(function: Any, arguments: Sequence[int | None]) -> int:
                harness.calls(function, arguments)(times)
                return 0

            compiled.in_groups([*self._inputs, *self._outputs], self._threads, work)

        return run

    def _compare(self, point: Point) -> None:
        if not self._expected:
            self._expected = [array.copy() for array in self._outputs]
            return
        for wanted, got in zip(self._expected, self._outputs, strict=True):
            if not _equal(wanted, got):
                raise CompilerBug(f"the schedule {point} gives other results", stage="tune")


def _equal(wanted: np.ndarray, got: np.ndarray) -> bool:
    """But for rounding; NaN and infinities are where they were."""
    if wanted.dtype.kind in "ib":
        return bool(np.array_equal(wanted, got))
    finite = np.isfinite(wanted)
    if not np.array_equal(finite, np.isfinite(got)):
        return False
    one, other = np.where(finite, wanted, 0), np.where(finite, got, 0)
    allowed = TOLERANCE * np.finfo(wanted.dtype).eps
    return bool(np.linalg.norm((one - other).ravel()) <= allowed * np.linalg.norm(one.ravel()))
