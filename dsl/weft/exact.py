# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far the orders of `schedule-dual-issue` are from the best: solved exactly, with CP-SAT.

A loop's body whose turns overlap begins a turn each `interval` cycles. Whether there is an order
for an interval is a question to the solver: each node has a cycle, such that operands are there,
each pipe issues one instruction a cycle of every turn and the divider has one division, no value
waits longer than a turn, and no more of them are alive than there are registers. The question is
asked for each interval from the lower bound on; the first with an answer is the least there is.

What is asked is a little less than what a core needs (decoding, what counts iterations being in
order, values that a turn keeps to its end), so the least interval is a bound that no order passes:
an order that has it is optimal, and the distance of any other one is at most what is told. The
limit is one of the solver's own work, not of time: equal on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from weft.diagnostics import RunError

# Units of the solver's work for one loop, about seconds.
LIMIT = 2.0


@dataclass(frozen=True)
class Distance:
    """Of one loop: cycles a turn as it is ordered, and below which no order can be."""

    name: str
    place: str
    cycles: int
    least: int
    # Whether an order with `least` cycles is known to exist, in the solver's model.
    exists: bool
    entries: int

    @property
    def is_optimal(self) -> bool:
        return self.cycles == self.least

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(entry: Mapping[str, Any]) -> Distance:
        return Distance(**entry)


def require() -> Any:
    """The solver; RunError where it is not installed."""
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise RunError(
            "exact orders need a solver that is not installed",
            expected="the package ortools",
            help="pip install 'weft[solver]'",
        ) from None
    return cp_model


def distances(file: Path, limit: float = LIMIT) -> list[Distance]:
    """Of all problems that the pass wrote to a file."""
    problems = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    known: dict[str, Distance] = {}
    found = []
    for problem in problems:
        # Loops that are alike, and there are many, are solved once.
        key = json.dumps({**problem, "name": "", "place": "", "entries": 0})
        if key not in known:
            known[key] = distance(problem, limit)
        own = {name: problem[name] for name in ("name", "place", "entries")}
        found.append(replace(known[key], **own))
    return found


def distance(problem: Mapping[str, Any], limit: float = LIMIT) -> Distance:
    """The least interval of one problem, as far as the limit goes."""
    least, exists = problem["cycles"], True
    for interval in range(problem["bound"], problem["cycles"]):
        answer, spent = has_order(problem, interval, limit)
        limit -= spent
        if answer is not False:
            least, exists = interval, answer is True
            break
    return Distance(
        problem["name"], problem["place"], problem["cycles"], least, exists, problem["entries"]
    )


def has_order(
    problem: Mapping[str, Any], interval: int, limit: float = LIMIT
) -> tuple[bool | None, float]:
    """Whether turns can begin each `interval` cycles, None where the limit does not tell; and the
    work that the answer took."""
    cp_model = require()
    question = _Question(cp_model.CpModel(), interval, problem)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    solver.parameters.max_deterministic_time = max(limit, 0.0)
    status = solver.solve(question.model)
    spent = float(solver.response_proto.deterministic_time)
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return True, spent
    return (False if status == cp_model.INFEASIBLE else None), spent


class _Question:
    """Cycles of all nodes, and what they have to keep."""

    def __init__(self, model: Any, interval: int, problem: Mapping[str, Any]) -> None:
        self.model, self.interval = model, interval
        self.nodes: Sequence[Mapping[str, Any]] = problem["nodes"]
        self.pipes: tuple[list[Any], list[Any]] = ([], [])
        self.divider: list[Any] = []
        self.alive: list[Any] = []
        horizon = interval * problem["most_turns"] - 1
        self.cycles = [model.new_int_var(0, horizon, "") for _ in self.nodes]
        self.slots = [self._slot(cycle) for cycle in self.cycles]
        self._operands()
        self._pipes(problem["pointers"])
        self._values(problem["registers"])

    def _slot(self, cycle: Any) -> Any:
        """The cycle within a turn."""
        slot = self.model.new_int_var(0, self.interval - 1, "")
        self.model.add_modulo_equality(slot, cycle, self.interval)
        return slot

    def _operands(self) -> None:
        for number, node in enumerate(self.nodes):
            for before, cycles, turns in node["before"]:
                self.model.add(
                    self.cycles[number] + turns * self.interval >= self.cycles[before] + cycles
                )

    def _around(self, slot: Any, size: int, taken: Any = True) -> list[Any]:
        """From a slot on, and what of it reaches into the next turn."""
        return [
            self.model.new_optional_fixed_size_interval_var(start, size, taken, "")
            for start in (slot, slot - self.interval)
        ]

    def _pipes(self, pointers: int) -> None:
        model = self.model
        for node, cycle, slot in zip(self.nodes, self.cycles, self.slots, strict=True):
            if node["pipe"] >= 0:
                self._issue(node["pipe"], slot, node["busy"])
            if node["divides"]:
                self.divider += self._around(slot, node["divides"])
            if node["joins_at"] >= 0:
                self._issue(0, self._slot(cycle + node["joins_at"]), 1)
        # The branch ends a turn; the count, its comparison and pointers are where a pipe is free.
        self._issue(1, model.new_constant(self.interval - 1), 1)
        for _ in range(2 + pointers):
            self._issue(2, model.new_int_var(0, self.interval - 1, ""), 1)
        for taken in (*self.pipes, self.divider):
            model.add_no_overlap(taken)

    def _issue(self, pipe: int, slot: Any, busy: int) -> None:
        if pipe < 2:
            self.pipes[pipe].extend(self._around(slot, busy))
            return
        first = self.model.new_bool_var("")
        self.pipes[0].extend(self._around(slot, busy, first))
        self.pipes[1].extend(self._around(slot, busy, first.negated()))

    def _values(self, registers: int) -> None:
        """A value is alive from the issue of what makes it to that of its last reader."""
        for node, cycle, slot in zip(self.nodes, self.cycles, self.slots, strict=True):
            if not node["in_register"]:
                continue
            length = self.model.new_int_var(0, self.interval, "")
            for reader, turns in node["readers"]:
                self.model.add(length >= self.cycles[reader] + turns * self.interval - cycle)
            end = self.model.new_int_var(0, 2 * self.interval, "")
            self.alive += [
                self.model.new_interval_var(slot - turn, length, end - turn, "")
                for turn in (0, self.interval)
            ]
        self.model.add_cumulative(self.alive, [1] * len(self.alive), max(registers, 0))
