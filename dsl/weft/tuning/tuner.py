# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel in, the text of a schedule out: space, search, trials and journal together."""

from __future__ import annotations

import datetime
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from weft import artifacts, cache, cpu, driver, frontend, toolchain
from weft import machine as machines
from weft.amounts import seconds
from weft.diagnostics import RunError
from weft.execution import Kernel
from weft.machine import Machine
from weft.sources import Named, read_source, scheduled
from weft.tuning import journal, space
from weft.tuning.search import Measurer, Outcome, Progress, Result, Search
from weft.tuning.space import Point, Space
from weft.tuning.trials import Trials


@dataclass(frozen=True)
class Subject:
    """A kernel to tune: its sizes are all given."""

    source: Named
    kernel: str
    target: str
    sizes: Mapping[str, int]
    threads: int = 1
    groups: int = 1

    @staticmethod
    def make(
        source: str | Path,
        kernel: str | None,
        target: str | None,
        sizes: Mapping[str, int],
        threads: int = 1,
    ) -> Subject:
        """By the names that a user gives; RunError where there is no such thing."""
        text, path = read_source(source)
        found = driver.outline(source, kernel)
        chosen = target or toolchain.default_target()
        unknown = [name for name in sizes if name not in found.missing]
        if unknown:
            frontend.outline(text, path, found.name, sizes)  # which tells it
        missing = [name for name in found.missing if name not in sizes]
        if missing:
            raise RunError(
                f"{found.name}: sizes are missing", argument="sizes", expected=", ".join(missing)
            )
        groups = sizes[found.groups] if found.groups else 1
        return Subject(Named.make(text, path), found.name, chosen, dict(sizes), threads, groups)


class Tuner:
    """The tuning of one kernel. `measurer` is this machine unless another is given."""

    def __init__(self, subject: Subject, measurer: Measurer | None = None) -> None:
        self.subject = subject
        self._machine: Machine = machines.load(subject.target)
        if measurer is None:
            toolchain.require_cpu(self._machine)
        job = frontend.Job(str(subject.source), subject.source.path, subject.kernel, subject.sizes)
        self.space: Space = space.of(job, self._machine)
        self._measurer = measurer or Trials(self._build, self._machine, subject.threads)
        self.journal = self._journal()

    def run(
        self,
        budget: float,
        told: Callable[[Progress], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> Result:
        """Searches for so many seconds at the most, compilations included."""
        known = self._known()
        search = Search(self.space, self._measurer, budget, clock, known, self._keep, told)
        return search.run()

    def compiled(self, point: Point) -> Kernel:
        """The kernel as the point makes it."""
        return self._build(point)

    def schedule(self, result: Result, today: datetime.date | None = None) -> str:
        """The text of the best: it replays wherever the kernel is compiled at these sizes."""
        text = self.space.text(result.best)
        return "\n".join(f"# {line}" for line in self._about(result, today)) + "\n" + text

    def _about(self, result: Result, today: datetime.date | None) -> Sequence[str]:
        date = (today or datetime.date.today()).isoformat()
        compiler = re.sub(r" \(.*?\)", "", toolchain.find_compiler().version)
        sizes = ", ".join(f"{name}={value}" for name, value in self.subject.sizes.items())
        shown = f"{self.subject.kernel}{f' [{sizes}]' if sizes else ''}"
        measured = "not measured"
        if result.seconds is not None:
            ratio = f"{result.ratio:.3f} of the time of the cost model's choice"
            if result.best == self.space.model:
                ratio = "the cost model's choice, the best"
            where = threads(self.subject.threads, self.subject.groups)
            if self._machine.is_core_group:
                where = f"the emulated {self._machine.name}"
            measured = f"{seconds(result.seconds)} on {where}, {ratio}"
        on = f"{cpu.name()} ({cpu.model()}), {compiler}"
        if self._machine.is_core_group:
            on = "weft-swcc"
        return (
            f"{shown} by weft tune, {date}: {measured}",
            f"of {len(result.trials) + 1} schedules; {on}",
        )

    def _build(self, point: Point) -> Kernel:
        subject = self.subject
        source = scheduled(subject.source, self.space.text(point))
        return driver.compile_watched(
            source, subject.kernel, subject.target, artifacts.Dump(None), subject.sizes
        )

    def _known(self) -> list[Outcome]:
        """Trials of before, as far as their schedules are among those of now."""
        points = self._points()
        reference = _frozen(self.space.directives(self.space.model))
        found: dict[Point, Outcome] = {}
        for entry in self.journal.read():
            point = points.get(_frozen(entry.schedule))
            if point is not None and _frozen(entry.reference) == reference:
                outcome = Outcome(point, entry.seconds, entry.reference_seconds, entry.error)
                if point not in found or outcome.ratio < found[point].ratio:
                    found[point] = outcome
        found.pop(self.space.model, None)
        return list(found.values())

    def _points(self) -> dict[object, Point]:
        """Every point that is one or two turns from the model's, by what it says."""
        known: dict[object, Point] = {}
        model = self.space.model
        turns = [(n, c) for n, k in enumerate(self.space.knobs) for c in range(len(k.choices))]
        for first in turns:
            for second in turns:
                point = list(model)
                for number, choice in (first, second):
                    point[number] = choice
                known.setdefault(_frozen(self.space.directives(tuple(point))), tuple(point))
        return known

    def _keep(self, outcome: Outcome) -> None:
        self.journal.add(
            journal.Entry(
                self.space.directives(outcome.point),
                outcome.seconds,
                self.space.directives(self.space.model),
                outcome.reference,
                outcome.error,
            )
        )

    def _journal(self) -> journal.Journal:
        subject = self.subject
        compiler = toolchain.find_compiler()
        about = {
            "kernel": subject.kernel,
            "sizes": dict(subject.sizes),
            "target": subject.target,
            "threads": subject.threads,
            "cpu": cpu.model(),
            "compiler": compiler.version,
        }
        kernels = frontend.printed_kernels(str(subject.source), subject.source.path)
        build = cache.key_of({"compiler": compiler.identity, "machine": self._machine.digest})
        file = journal.place(subject.kernel, {**about, "kernels": kernels})
        return journal.Journal(file, about, build[:16])


def _frozen(directives: Mapping[str, Sequence[str]]) -> object:
    return tuple(sorted((kernel, tuple(lines)) for kernel, lines in directives.items()))


def threads(count: int, groups: int = 1) -> str:
    """Groups share the threads, and each has one at the least."""
    each = max(1, count // groups)
    shown = "1 thread" if each == 1 else f"{each} threads"
    return shown if groups == 1 else f"{groups} groups of {shown}"
