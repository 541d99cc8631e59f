# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which schedules are measured, in which order, and when that ends.

Best first: a knob at a time is turned from the best point so far, in the order in which the model
ranks its choices, a few at once so that they are measured in turns. Every time is one beside the
model's own choice: on a machine that does other things as well, ratios hold where times do not.
The best few meet again in a race of their own, for of many times measured shortly the least is
luck. What is not faster by more than that would leave the model's choice as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from weft.tuning.space import Point, Space

TOGETHER = 4  # measured in turns, beside the reference
FINALISTS = 4
FINAL_SHARE = 0.15  # of the budget, for the last race
BETTER = 0.995  # of the best so far: what turns further knobs start from
WORTH = 0.99  # of the model's: what is written instead of it


@dataclass(frozen=True)
class Outcome:
    """What measuring a point gave, the reference in the same race beside it."""

    point: Point
    seconds: float
    reference: float
    error: str = ""

    @property
    def ratio(self) -> float:
        return float("inf") if self.error else self.seconds / self.reference


class Measurer(Protocol):
    """Times points: on this machine, or by a model that runs them."""

    def race(self, points: Sequence[Point], reference: Point, final: bool) -> list[Outcome]:
        """An outcome for each point; `final` may take longer."""


@dataclass
class Progress:
    """What a search has come to, for those who wait."""

    seconds: float = 0.0
    trials: int = 0
    again: int = 0
    possible: int = 0
    best: Point = ()
    ratio: float = 1.0


@dataclass(frozen=True)
class Result:
    """The point to write, and how its time compares with that of the model's choice."""

    best: Point
    ratio: float
    seconds: float | None
    """Of the best; None where nothing was measured."""
    trials: Mapping[Point, Outcome]
    again: int
    """How many of them an earlier search had measured."""
    why: str
    """`all`, `budget` or `interrupted`."""
    final: tuple[Outcome, ...] = field(default=())


class Search:
    """One search. `clock` gives seconds; `known` are outcomes of earlier ones."""

    def __init__(
        self,
        space: Space,
        measurer: Measurer,
        budget: float,
        clock: Callable[[], float],
        known: Sequence[Outcome] = (),
        kept: Callable[[Outcome], None] | None = None,
        told: Callable[[Progress], None] | None = None,
    ) -> None:
        self._space = space
        self._measurer = measurer
        self._budget = budget
        self._clock = clock
        self._kept = kept
        self._told = told
        self._trials = {outcome.point: outcome for outcome in known}
        self._again = len(self._trials)
        self._start = clock()

    def run(self) -> Result:
        """Until all is measured or the time is over; what there is by then on an interruption."""
        why = "all"
        final: tuple[Outcome, ...] = ()
        try:
            self._tell()
            took = 0.0
            while some := self._next():
                # The next few take about as long as these have; the first are always measured.
                before = self._spent()
                if before and before + took > self._budget * (1 - FINAL_SHARE):
                    why = "budget"
                    break
                self._measure(some)
                took = self._spent() - before
            final = tuple(self._final())
        except KeyboardInterrupt:
            why = "interrupted"
        return self._result(why, final)

    def _spent(self) -> float:
        return self._clock() - self._start

    def _measure(self, points: Sequence[Point]) -> None:
        for outcome in self._measurer.race(points, self._space.model, final=False):
            self._trials[outcome.point] = outcome
            self._keep(outcome)
        self._tell()

    def _keep(self, outcome: Outcome) -> None:
        if self._kept is not None:
            self._kept(outcome)

    def _final(self) -> list[Outcome]:
        """The best few again; alone, the model's choice needs no race."""
        points = [point for point in self._ranked() if point != self._space.model][:FINALISTS]
        if not points:
            return []
        found = self._measurer.race(points, self._space.model, final=True)
        for outcome in found:
            self._keep(outcome)
        return found

    def _ranked(self) -> list[Point]:
        good = [outcome for outcome in self._trials.values() if not outcome.error]
        return [o.point for o in sorted(good, key=lambda o: (o.ratio, self._space.order(o.point)))]

    def _center(self) -> Point:
        """Where turns start: the model's choice until another is better by more than noise."""
        ranked = self._ranked()
        if ranked and self._trials[ranked[0]].ratio < BETTER:
            return ranked[0]
        return self._space.model

    def _next(self) -> list[Point]:
        """The likeliest points not measured yet, one turn of one knob from the center."""
        center = self._center()
        points = [
            (*center[:number], choice, *center[number + 1 :])
            for number, knob in enumerate(self._space.knobs)
            for choice in range(len(knob.choices))
        ]
        new = {p for p in points if p not in self._trials and p != self._space.model}
        turned = {p: self._turn(center, p) for p in new}
        return sorted(new, key=lambda point: turned[point])[:TOGETHER]

    def _turn(self, center: Point, point: Point) -> tuple[float, ...]:
        """Likelier turns first: by the rank of what is turned to."""
        (number,) = (n for n, (a, b) in enumerate(zip(center, point, strict=True)) if a != b)
        alone = (*(0 for _ in point[:number]), point[number], *(0 for _ in point[number + 1 :]))
        return (*self._space.order(alone), number)

    def _result(self, why: str, final: tuple[Outcome, ...]) -> Result:
        model = self._space.model
        best, ratio, seconds = model, 1.0, None
        outcomes = list(final) or list(self._trials.values())
        if outcomes:
            seconds = min((o.reference for o in outcomes if not o.error), default=None)
        good = [o for o in outcomes if not o.error]
        least = min((o.ratio for o in good), default=1.0)
        if least < WORTH:
            # Of those that are as good, what the model thinks likeliest.
            like = [o for o in good if o.ratio * BETTER <= least]
            chosen = min(like, key=lambda o: self._space.order(o.point))
            best, ratio, seconds = chosen.point, chosen.ratio, chosen.seconds
        return Result(best, ratio, seconds, dict(self._trials), self._again, why, final)

    def _tell(self) -> None:
        if self._told is None:
            return
        center = self._center()
        known = self._trials.get(center)
        possible = sum(len(knob.choices) - 1 for knob in self._space.knobs)
        done = len(self._trials)
        self._told(
            Progress(
                self._spent(), done, self._again, possible, center, known.ratio if known else 1.0
            )
        )
