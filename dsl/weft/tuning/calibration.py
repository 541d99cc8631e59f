# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A machine's table of stages, fitted on this CPU in seconds, written as an overlay.

Times of transforms of many orders of radices are sums of what their stages cost. The unit is the
machine's own: a cycle is as many multiply-adds as it has pipes, measured in the same race.
"""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from weft import artifacts, cpu, driver, toolchain
from weft import machine as machines
from weft.call import address, empty_outputs
from weft.diagnostics import RunError
from weft.execution import Kernel
from weft.machine import Machine
from weft.tuning import fitting, timing
from weft.tuning.samples import BYTES, L2, LINE, Column, Sample, Shape, chosen, predicted

Costs: TypeAlias = dict[Column, float]

QUANTITIES = ("dft_stage_cycles", "dft_line_cycles", "dft_l2_stage_cycles")
POSITIONS = ("first", "inner", "last")
LINES_BYTES = 256 * 1024  # of all lines of a sample: they stay in the second cache
TOGETHER = 8  # kernels in one C file, and in one race
RACE_SECONDS = 0.012  # for each
PULL = 0.05  # what one sample says outweighs the table so far where it differs by more
LEAST = 0.5  # of what the table says, and at least
STORED = 100.0  # hundredths of a cycle: a vector is stored
SEED = 7


@dataclass(frozen=True)
class Measured:
    sample: Sample
    hundredths: float
    """Of a cycle, for a vector of points."""


@dataclass(frozen=True)
class Calibration:
    """What was measured, what was believed before, and what fits."""

    machine: Machine
    measured: tuple[Measured, ...]
    before: Costs
    after: Costs

    def error(self, costs: Costs) -> float:
        """The mean relative error of what costs say."""
        return float(
            np.mean([abs(predicted(m.sample, costs) / m.hundredths - 1) for m in self.measured])
        )

    def values(self) -> dict[str, Any]:
        """The quantities of the table, in its units."""
        radices = sorted({radix for _, radix in self.after if radix})
        rows = [
            [radix, *(round(self.after.get((p, radix), 0)) for p in POSITIONS)] for radix in radices
        ]
        line, l2 = (max(1, round(self.after[column])) for column in (LINE, L2))
        return dict(zip(QUANTITIES, (rows, line, l2), strict=True))

    def overlay(self, today: datetime.date | None = None) -> str:
        """The text of the overlay: quantities with unit, source and confidence."""
        date = (today or datetime.date.today()).isoformat()
        compiler = re.sub(r" \(.*?\)", "", toolchain.find_compiler().version)
        source = (
            f"weft tune --calibrate, {date}: least squares over {len(self.measured)} transforms on"
            f" {cpu.name()} ({cpu.model()}) with {compiler}, {100 * self.error(self.after):.1f} %"
            " off on average; a cycle is as many multiply-adds of the same run as there are pipes"
        )
        units = machines.units_of(self.machine.name)
        parts = [f"# Written by weft tune --calibrate for {cpu.model()}; --remove takes it away."]
        for name, value in self.values().items():
            shown = str(value)
            if isinstance(value, list):
                shown = "[\n" + "".join(f"  {row},\n" for row in value) + "]"
            words = (_quoted(units[name]), _quoted(source))
            parts.append(
                f"[{name}]\nvalue = {shown}\nunit = {words[0]}\nsource = {words[1]}\n"
                'confidence = "measured"'
            )
        return "\n\n".join(parts) + "\n"


def run(target: str, told: Callable[[int, int], None] | None = None) -> Calibration:
    """Measures on this machine. `told` hears how many samples of how many are done."""
    machine = machines.plain(target)
    require(machine)
    toolchain.require_cpu(machine)
    before = costs_of(machine)
    wanted = [s for kind in BYTES for s in chosen(Shape.of(kind, machine.values), before)]
    measured: list[Measured] = []
    if told is not None:
        told(0, len(wanted))
    groups = [wanted[n : n + TOGETHER] for n in range(0, len(wanted), TOGETHER)]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        try:
            # Everything is compiled before anything is timed.
            compiled = [pool.submit(_compiled, group, machine) for group in groups]
            kernels = []
            for group, one in zip(groups, compiled, strict=True):
                kernels.append(one.result())
                if told is not None:
                    told(sum(map(len, groups[: len(kernels)])) // 2, len(wanted))
                assert len(kernels[-1]) == len(group)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    harness = timing.Harness(machine, [3])
    for group, some in zip(groups, kernels, strict=True):
        measured += _measured(group, some, machine, harness)
        if told is not None:
            told((len(wanted) + len(measured)) // 2, len(wanted))
    return Calibration(machine, tuple(measured), before, fitted(measured, before))


def require(machine: Machine) -> None:
    """RunError where the target's table has no costs of stages."""
    if all(name in machine.values for name in QUANTITIES):
        return
    able = [
        name
        for name in machines.target_names()
        if all(quantity in machines.plain(name).values for quantity in QUANTITIES)
    ]
    raise RunError(
        f"the target {machine.name!r} has nothing to calibrate: its cost model counts operations",
        argument="target",
        expected=", ".join(able),
        found=machine.name,
    )


def costs_of(machine: Machine) -> Costs:
    """The table's costs; a radix that cannot begin a line has none as the first."""
    costs: Costs = {}
    for radix, *cycles in machine.values["dft_stage_cycles"]:
        for position, cost in zip(POSITIONS, cycles, strict=True):
            if cost > 0:
                costs[position, radix] = float(cost)
    costs[LINE] = float(machine.values["dft_line_cycles"])
    costs[L2] = float(machine.values["dft_l2_stage_cycles"])
    return costs


def fitted(measured: Sequence[Measured], before: Costs) -> Costs:
    """The costs that explain what was measured; near those before where it says little."""
    # Another machine is slower or faster as a whole, first of all.
    ratios = [m.hundredths / predicted(m.sample, before) for m in measured]
    scale = float(np.median(ratios))
    columns = list(before)
    matrix = np.zeros((len(measured), len(columns)))
    values = np.zeros(len(measured))
    for number, m in enumerate(measured):
        weight = 1 / m.hundredths
        for column, times in m.sample.row().items():
            matrix[number, columns.index(column)] = times * weight
        values[number] = 1
    believed = np.array([scale * before[column] for column in columns])
    lowest = np.maximum(LEAST * believed, [STORED if c[1] else 0.0 for c in columns])
    found = fitting.fit(matrix, values, np.maximum(believed, lowest), lowest, PULL)
    return dict(zip(columns, map(float, found), strict=True))


def write(calibration: Calibration) -> Path:
    """The overlay's place; compilations read it from now on."""
    file = machines.calibration_file(calibration.machine.name)
    text = calibration.overlay()
    artifacts.write_whole(file, text)
    machines.read_table(file)
    return file


def remove(target: str) -> Path | None:
    """The overlay that is no more; None where there was none."""
    file = machines.calibration_file(target)
    try:
        file.unlink()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RunError(f"cannot remove {file}: {error.strerror}") from None
    return file


def _quoted(text: str) -> str:
    """A basic string of TOML."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else " " for c in escaped) + '"'


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


def _measured(
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
            library = compiled._load()
            scratch = held.enter_context(compiled._scratch.lend())
            held.enter_context(compiled._threads(library, 1))
            function = getattr(library, compiled.report["c_name"])
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
