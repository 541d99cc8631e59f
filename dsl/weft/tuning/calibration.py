# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A machine's table of stages, fitted on this CPU in seconds; an overlay, if it chooses better.

Times of transforms of many orders of radices are sums of what their stages cost. What explains the
times best need not choose best: the fitted table and others are judged by what they choose at other
lengths, and only one that is faster than what comes with Weft is written.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from weft import artifacts, cpu, toolchain
from weft import machine as machines
from weft.diagnostics import RunError
from weft.machine import Machine
from weft.tuning import fitting, judging, measuring
from weft.tuning.judging import Judged
from weft.tuning.measuring import Measured
from weft.tuning.samples import BYTES, L2, LINE, Column, Shape, chosen, predicted

Costs: TypeAlias = dict[Column, float]

STAGES = "dft_stage_cycles"
QUANTITIES = (STAGES, "dft_line_cycles", "dft_l2_stage_cycles")
SINGLE = "dft_single_stage_cycles"  # of c64, where a CPU tells them apart
POSITIONS = ("first", "inner", "last")
TOGETHER = 8  # kernels in one C file, and in one race
FITTING = 60  # percent of the time, before tables are judged
PULL = 0.05  # what one sample says outweighs the table so far where it differs by more
LEAST = 0.5  # of what the table says, and at least
STORED = 100.0  # hundredths of a cycle: a vector is stored
# The tables that are judged: what comes with Weft, what fits, a calibration that was in force.
COMES, FITTED, HALFWAY, EARLIER = "that comes with Weft", "fitted", "halfway there", "in force"


@dataclass(frozen=True)
class Calibration:
    """What was measured, what was believed before, what fits, and what tables choose.

    `tables` are values of QUANTITIES, and of SINGLE where that changes too, by the table's name,
    COMES the first; of each of `judged` a time for each of them, in their order.
    """

    machine: Machine
    measured: tuple[Measured, ...]
    before: Costs
    after: Costs
    tables: dict[str, dict[str, Any]]
    judged: tuple[Judged, ...]

    def error(self, costs: Costs) -> float:
        """The mean relative error of what costs say."""
        return float(
            np.mean([abs(predicted(m.sample, costs) / m.hundredths - 1) for m in self.measured])
        )

    def compared(self) -> dict[str, float]:
        """The mean time of what each table chooses, over that of the one that comes with Weft."""
        return dict(zip(self.tables, judging.compared(self.judged), strict=True))

    @property
    def best(self) -> str:
        """The name of the table whose choices are fastest."""
        return list(self.tables)[judging.best(self.judged)]

    def overlay(self, today: datetime.date | None = None) -> str:
        """The text of the overlay: quantities with unit, source and confidence."""
        date = (today or datetime.date.today()).isoformat()
        compiler = re.sub(r" \(.*?\)", "", toolchain.find_compiler().version)
        source = (
            f"weft tune --calibrate, {date}: least squares over {len(self.measured)} transforms on"
            f" {cpu.name()} ({cpu.model()}) with {compiler}, {100 * self.error(self.after):.1f} %"
            f" off on average{', and half of the way there' if self.best == HALFWAY else ''}; of"
            f" {len(self.judged)} other batches of lines what it chooses takes"
            f" {self.compared()[self.best]:.3f} of the time; a cycle is as many multiply-adds of"
            " the same run as there are pipes"
        )
        units = machines.units_of(self.machine.name)
        parts = [f"# Written by weft tune --calibrate for {cpu.model()}; --remove takes it away."]
        for name, value in self.tables[self.best].items():
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
    """Measures on this machine. `told` hears how many hundredths are done."""
    machine = machines.as_it_comes(target)
    require(machine)
    toolchain.require_cpu(machine)
    before = costs_of(machine)

    def tell(start: int, width: int, done: int, of: int) -> None:
        if told is not None:
            told(start + width * done // max(1, of), 100)

    wanted = [s for kind in BYTES for s in chosen(Shape.of(kind, machine.values), before)]
    tell(0, 0, 0, 1)
    groups = [wanted[n : n + TOGETHER] for n in range(0, len(wanted), TOGETHER)]
    measured = measuring.measured(
        groups, machine, lambda done: tell(0, FITTING, done, 2 * len(wanted))
    )
    after = fitted(measured, before)
    tables = {
        COMES: values_of(before),
        FITTED: of_both_types(after, machine),
        HALFWAY: of_both_types(halfway(measured, before, after), machine),
    }
    earlier = machines.calibration_file(target)
    if earlier.is_file():
        read = machines.read_table(earlier)
        known = {name: read[name] for name in (*QUANTITIES, SINGLE) if name in read}
        tables[EARLIER] = tables[COMES] | known
    judged = judging.judge(
        machine,
        list(tables.values()),
        lambda done, of: tell(FITTING, 100 - FITTING, done, of),
    )
    tell(100, 0, 0, 1)
    return Calibration(machine, tuple(measured), before, after, tables, judged)


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
    for radix, *cycles in machine.values[STAGES]:
        for position, cost in zip(POSITIONS, cycles, strict=True):
            if cost > 0:
                costs[position, radix] = float(cost)
    costs[LINE] = float(machine.values["dft_line_cycles"])
    costs[L2] = float(machine.values["dft_l2_stage_cycles"])
    return costs


def values_of(costs: Costs) -> dict[str, Any]:
    """The quantities of the table, in its units."""
    radices = sorted({radix for _, radix in costs if radix})
    rows = [[radix, *(round(costs.get((p, radix), 0)) for p in POSITIONS)] for radix in radices]
    line, l2 = (max(1, round(costs[column])) for column in (LINE, L2))
    return dict(zip(QUANTITIES, (rows, line, l2), strict=True))


def of_both_types(costs: Costs, machine: Machine) -> dict[str, Any]:
    """The same, of a table that was fitted to both types: it takes the place of both."""
    values = values_of(costs)
    return values | ({SINGLE: values[STAGES]} if SINGLE in machine.values else {})


def scale_of(measured: Sequence[Measured], costs: Costs) -> float:
    """How much slower this machine is as a whole than costs say."""
    return float(np.median([m.hundredths / predicted(m.sample, costs) for m in measured]))


def fitted(measured: Sequence[Measured], before: Costs) -> Costs:
    """The costs that explain what was measured; near those before where it says little."""
    # Another machine is slower or faster as a whole, first of all.
    scale = scale_of(measured, before)
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


def halfway(measured: Sequence[Measured], before: Costs, after: Costs) -> Costs:
    """The geometric means of what was believed, on the scale of this machine, and what fits."""
    scale = scale_of(measured, before)
    return {column: (scale * before[column] * after[column]) ** 0.5 for column in before}


def write(calibration: Calibration) -> Path | None:
    """The overlay's place, which compilations read from now on; None where what comes with Weft
    chooses best, and no overlay is in force any more."""
    if calibration.best == COMES:
        remove(calibration.machine.name)
        return None
    file = machines.calibration_file(calibration.machine.name)
    if calibration.best != EARLIER:
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
