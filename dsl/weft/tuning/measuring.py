# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines whose order of radices is given, a few at a time, in turns with multiply-adds.

The unit is the machine's own: a cycle is as many multiply-adds as it has pipes, measured in the
same race.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np

from weft import driver
from weft.call import address, empty_outputs
from weft.execution import Kernel
from weft.machine import Machine
from weft.tuning import timing
from weft.tuning.samples import BYTES, Sample

LINES_BYTES = 256 * 1024  # of all lines of a sample: they stay in the second cache
RACE_SECONDS = 0.012  # for each
SEED = 7


@dataclass(frozen=True)
class Measured:
    sample: Sample
    hundredths: float
    """Of a cycle, for a vector of points."""


def measured(
    groups: Sequence[Sequence[Sample]],
    machine: Machine,
    told: Callable[[int], None] | None = None,
) -> list[Measured]:
    """Every sample, in the order of the groups, each of which is one C file and one race.

    `told` hears how many samples were compiled, and measured: twice as many as there are.
    """
    done = 0

    def tell(group: Sequence[Sample]) -> None:
        nonlocal done
        done += len(group)
        if told is not None:
            told(done)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        try:
            # Everything is compiled before anything is timed.
            compiled = [pool.submit(_compiled, group, machine) for group in groups]
            kernels = []
            for group, one in zip(groups, compiled, strict=True):
                kernels.append(one.result())
                tell(group)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    harness = timing.Harness(machine, [3])
    found = []
    for group, some in zip(groups, kernels, strict=True):
        found += _raced(group, some, machine, harness)
        tell(group)
    return found


def _lines(sample: Sample) -> int:
    return max(1, LINES_BYTES // (sample.length * BYTES[sample.shape.kind]))


def _compiled(group: Sequence[Sample], machine: Machine) -> list[Kernel]:
    text = "\n".join(
        f"kernel k{number}[b: size, n: size](x: {s.shape.kind}[b, n]) -> (y: {s.shape.kind}[b, n]):"
        f"\n    y = dft(x, axis=1, radices=[{', '.join(map(str, s.radices))}])\n"
        for number, s in enumerate(group)
    )
    sizes = [{"b": _lines(s), "n": s.length} for s in group]
    requests: list[tuple[str, str | None, Mapping[str, int]]] = [
        (text, f"k{number}", size) for number, size in enumerate(sizes)
    ]
    return driver.compile_many(requests, machine.name)


def _raced(
    group: Sequence[Sample], kernels: Sequence[Kernel], machine: Machine, harness: timing.Harness
) -> list[Measured]:
    """A race of the group beside multiply-adds."""
    random = np.random.default_rng(SEED)
    with ExitStack() as held:
        contestants = [harness.multiply_adds()]
        arrays = []
        for kernel in kernels:
            compiled: Any = kernel._compiled()
            (x,), (y,) = empty_outputs(compiled.inputs), empty_outputs(compiled.outputs)
            x[...] = random.uniform(-1, 1, x.shape) + 1j * random.uniform(-1, 1, x.shape)
            function, scratch = held.enter_context(compiled.held(1))
            run = harness.calls(function, [address(x), address(y), scratch])
            contestants.append(timing.Contestant(run, timing.clock(1)))
            arrays.append((x, y))
        timing.race(contestants, RACE_SECONDS)
    pipes = int(machine.values["vector_pipes"])
    cycle = contestants[0].best / (timing.CHAINS * timing.MULTIPLY_ADDS) * pipes
    found = []
    for sample, contestant in zip(group, contestants[1:], strict=True):
        vectors = _lines(sample) * sample.length / sample.shape.lanes
        found.append(Measured(sample, 100 * contestant.best / vectors / cycle))
    return found
