# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transforms whose times say what a stage of each radix costs, first, inner and last in the line.

Every cost is in several samples, beside costs that vary; which samples, is the same each time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import gcd, prod
from typing import TypeAlias

Column: TypeAlias = tuple[str, int]
"""`first 16`, `inner 8`, `last 4`; `line 0` for each stage of a line, `l2 0` for each round to the
second cache and back."""

LINE: Column = ("line", 0)
L2: Column = ("l2", 0)
FEWEST_TURNS = 4  # this and what a cache holds as dsl/passes/transforms/Turns.h has it
BYTES = {"c128": 16, "c64": 8}
COVERED = 3  # samples for each cost, in each precision
STAGES = (2, 3, 4)
SHORTEST, LONGEST = 16, 1024
# What the compiler will choose from is measured besides, where it is likely to be good.
LIKELY_LENGTHS = (64, 120, 128, 192, 240, 256, 480, 512, 768, 1024)
LIKELY = 2
# Beyond the first cache the number of stages decides.
LONG_LENGTHS = (1536, 2048, 3072, 4096)
LONG = 3


@dataclass(frozen=True)
class Shape:
    """What vectors of a machine hold of one precision, and its first cache."""

    kind: str
    lanes: int
    units: int
    first_cache: int
    ways: int = 0
    crowded_rounds: int = 0
    crowded_turns: int = 0
    line_bytes: int = 0

    @staticmethod
    def of(kind: str, values: Mapping[str, int]) -> Shape:
        vector = values["vector_bytes"]
        return Shape(
            kind,
            vector // BYTES[kind],
            vector // 16,
            values["l1d_bytes"],
            values.get("l1d_ways", 0),
            values.get("dft_crowded_rounds", 0),
            values.get("dft_crowded_turns", 0),
            values.get("line_bytes", 0),
        )

    def may_begin(self, length: int, radix: int) -> bool:
        """As the pass decides it: its results are turned in registers."""
        turned = radix % self.units == 0 and radix % max(1, self.lanes // self.units) == 0
        return turned and radix >= self.lanes and length // radix >= self.lanes


@dataclass(frozen=True)
class Sample:
    """Lines of one length, their stages in this order."""

    shape: Shape
    radices: tuple[int, ...]

    @property
    def length(self) -> int:
        return prod(self.radices)

    def columns(self) -> Counter[Column]:
        """How often each cost is in it, per vector of points."""
        first, *inner, last = self.radices
        found: Counter[Column] = Counter({("first", first): 1})
        found.update(("inner", radix) for radix in inner)
        found[("last", last)] += 1
        return found

    def row(self) -> dict[Column, float]:
        """Its time, in hundredths of a cycle a vector of points, as a sum of costs."""
        row: dict[Column, float] = dict.fromkeys(self.columns(), 0.0)
        lanes, stages = self.shape.lanes, len(self.radices)
        for number, radix in enumerate(self.radices):
            # Vectors lie along points that may not fill the last one: it does some again.
            points = prod(self.radices[:number] or self.radices[1:])
            position = "first" if number == 0 else "inner" if number + 1 < stages else "last"
            row[position, radix] += -(-points // lanes) * lanes / points
        row[LINE] = lanes * stages / self.length
        if 3 * self.length * BYTES[self.shape.kind] > self.shape.first_cache:
            row[L2] = self.rounds() + self.crowded()
        return row

    def crowded(self) -> float:
        """What the last round's rows take that the ways of the first cache do not hold, in rounds.

        Of two stages that take turns the rows of both count, and the part between them takes ways.
        """
        shape, rows, between = self.shape, self.radices[-1], 0
        times = shape.crowded_rounds
        if shape.ways == 0:
            return 0.0
        if shape.crowded_turns and len(self.radices) % 2 == 0 and self._turns()[-1]:
            rows, times = rows * self.radices[-2], shape.crowded_turns
            between = rows * shape.line_bytes
        way = shape.first_cache // shape.ways
        sets = way // gcd(self.length // rows * BYTES[shape.kind], way)
        held = max(0, shape.first_cache - between) / way * sets / rows
        return times * max(0.0, 1 - held**2)

    def rounds(self) -> int:
        """As the pass counts them: two stages that take turns are one."""
        return len(self.radices) - sum(self._turns())

    def _turns(self) -> list[bool]:
        """Of the stages two by two, whether they take turns."""
        shape, length, done = self.shape, self.length, 1
        found: list[bool] = []

        def take_turns(places: int, part: int) -> bool:
            held = 2 * (length // places * part * BYTES[shape.kind]) <= shape.first_cache
            return places % part == 0 and places // part >= FEWEST_TURNS and held

        leaves = 2 * length * BYTES[shape.kind] > shape.first_cache
        for one, other in zip(self.radices[::2], self.radices[1::2], strict=False):
            groups, across = length // (done * one * other), shape.lanes if done == 1 else 1
            turns = take_turns(groups, across) or take_turns(done, shape.lanes)
            found.append(leaves and turns)
            done *= one * other
        return found


def predicted(sample: Sample, costs: Mapping[Column, float]) -> float:
    return sum(times * costs[column] for column, times in sample.row().items())


def chosen(shape: Shape, costs: Mapping[Column, float]) -> list[Sample]:
    """The samples of one precision; `costs` are those that are believed so far."""
    radices = sorted({radix for _, radix in costs if radix})
    usable = [s for s in _all(shape, radices) if all(c in costs for c in s.columns())]
    short = [s for s in usable if SHORTEST <= s.length <= LONGEST]
    best: dict[int, float] = {}
    for sample in usable:
        value = predicted(sample, costs)
        best[sample.length] = min(best.get(sample.length, value), value)
    loss = {s: predicted(s, costs) / best[s.length] for s in usable}
    found = _covering(short, loss)
    for lengths, count in ((LIKELY_LENGTHS, LIKELY), (LONG_LENGTHS, LONG)):
        for length in lengths:
            like = sorted(
                (s for s in usable if s.length == length), key=lambda s: (loss[s], s.radices)
            )
            found += [s for s in like[:count] if s not in found]
    return found


def _covering(samples: Sequence[Sample], loss: Mapping[Sample, float]) -> list[Sample]:
    """Few samples that have each cost COVERED times; of equals the one that is likely good."""
    available = Counter(column for s in samples for column in s.columns())
    missing = {column: min(COVERED, count) for column, count in available.items()}
    columns = {sample: sample.columns() for sample in samples}
    found: list[Sample] = []
    while any(missing.values()):
        left = [s for s in samples if s not in found]
        gain = {s: sum(missing[c] > 0 for c in columns[s]) for s in left}
        if not left or not max(gain.values()):
            break
        sample = max(left, key=lambda s: (gain[s], -loss[s], s.radices))
        found.append(sample)
        for column in columns[sample]:
            missing[column] = max(0, missing[column] - 1)
    return found


def _all(shape: Shape, radices: Sequence[int]) -> Iterator[Sample]:
    longest = max(LONGEST, *LONG_LENGTHS)

    def orders(stages: int, product: int) -> Iterator[tuple[int, ...]]:
        if stages == 0:
            yield ()
            return
        for radix in radices:
            if product * radix <= longest:
                for rest in orders(stages - 1, product * radix):
                    yield (radix, *rest)

    for stages in STAGES:
        for order in orders(stages, 1):
            length = prod(order)
            if length <= LONGEST or length in LONG_LENGTHS:
                if shape.may_begin(length, order[0]):
                    yield Sample(shape, order)
