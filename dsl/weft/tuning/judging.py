# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of stages, judged by what they choose.

A table may be nearer to the times of transforms and still choose worse: orders of one length differ
by less than what a sum of stages is off. So tables meet at other lengths, most of which none of
them was fitted to, and each order that one of them chooses is measured.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from weft import frontend
from weft.machine import Machine
from weft.tuning import measuring, space
from weft.tuning.samples import BYTES, Sample, Shape

# No powers of two, whose likeliest orders are in the fit; a fifth of these have one there, too.
LENGTHS = (
    *(32, 48, 72, 80, 96, 112, 144, 160, 224, 288, 320, 336, 384, 400, 448, 576, 640, 672, 720),
    *(896, 960, 1152, 1280, 1440, 1680, 1920, 2240, 2304, 2560, 2880, 3600, 3840),
)
BETTER = 0.995  # of the time of what the table before chooses: less is noise


@dataclass(frozen=True)
class Judged:
    """One length, and for each table the time of what it chooses; the unit is the same for all."""

    kind: str
    length: int
    chosen: tuple[tuple[int, ...], ...]
    times: tuple[float, ...]


def judge(
    machine: Machine,
    tables: Sequence[Mapping[str, Any]],
    told: Callable[[int, int], None] | None = None,
) -> tuple[Judged, ...]:
    """Measures what each table chooses; the values of a table take the place of the machine's.

    `told` hears how many steps of how many are done.
    """
    machines = [replace(machine, values={**machine.values, **table}) for table in tables]
    chosen = {
        (kind, length): tuple(order_of(one, kind, length) for one in machines)
        for kind in BYTES
        for length in LENGTHS
    }
    # One race for each length that they differ at.
    groups = [
        [Sample(Shape.of(kind, machine.values), order) for order in dict.fromkeys(orders)]
        for (kind, _), orders in chosen.items()
        if len(set(orders)) > 1
    ]
    steps = 2 * sum(map(len, groups))
    found = measuring.measured(
        groups, machine, None if told is None else lambda done: told(done, steps)
    )
    times = {(m.sample.shape.kind, m.sample.radices): m.hundredths for m in found}
    return tuple(
        # Where all choose the same, any time will do.
        Judged(kind, length, orders, tuple(times.get((kind, order), 1.0) for order in orders))
        for (kind, length), orders in chosen.items()
    )


def order_of(machine: Machine, kind: str, length: int) -> tuple[int, ...]:
    """The radices that the compiler chooses for lines by this table."""
    text = (
        f"kernel k(x: {kind}[4, {length}]) -> (y: {kind}[4, {length}]):\n    y = dft(x, axis=1)\n"
    )
    (knob, *_) = space.of(frontend.Job(text, "k.weft", "k", {}), machine).knobs
    return tuple(int(radix) for radix in re.findall(r"\d+", knob.choices[0]))


def compared(judged: Sequence[Judged]) -> tuple[float, ...]:
    """For each table the geometric mean of its times over those of the first one."""
    return tuple(
        math.exp(sum(math.log(one / of) for one, of in pairs) / len(judged))
        for pairs in _pairs(judged)
    )


def best(judged: Sequence[Judged]) -> int:
    """The number of the table whose choices are fastest: the first one's, if hardly slower."""
    means = compared(judged)
    fastest = min(range(len(means)), key=lambda n: (means[n], n))
    return fastest if means[fastest] < BETTER else 0


def _pairs(judged: Sequence[Judged]) -> Iterator[list[tuple[float, float]]]:
    for number in range(len(judged[0].times)):
        yield [(one.times[number], one.times[0]) for one in judged]
