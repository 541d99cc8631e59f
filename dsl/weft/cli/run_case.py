# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft run of a host's own case: several runs, a line each, and what they add up to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from weft.cli import Exit
from weft.cli.failure import asked_for
from weft.cli.measuring import called, judged, save, timed
from weft.cli.options import require_sizes, verification_told
from weft.cli.progress import Progress

if TYPE_CHECKING:
    from weft.hosting import Case, Host, Verdict


WORDS = {True: "holds", False: "DOES NOT HOLD", None: "not checked"}


@dataclass(frozen=True)
class Setting:
    """What is the same for all runs. `sizes` replace those of the case."""

    source: Path | str
    host: Host
    target: str | None
    mode: str | None
    dump_dir: Path | None
    verify_each: bool
    without: Sequence[str]
    sizes: Mapping[str, int]
    options: Mapping[str, Any]


def run_case(setting: Setting, case: str | None, kernel: str | None, output: Path | None) -> None:
    """Exit status 0 only if the results of all runs hold."""
    from weft.hosting import Case

    host = setting.host
    with asked_for():
        chosen = host.runs(_known(host, case), kernel)
    runs = [Case(run, {**run.sizes, **setting.sizes}, run.kernel) for run in chosen]
    kept: dict[str, Any] = {}
    seconds, wrong, unchecked = [], 0, 0
    for number, run in enumerate(runs):
        with Progress().listening() as progress:
            outputs, time, verdict, where = _run(setting, run, progress)
        if number == 0:
            typer.echo(f"case {run}, {len(runs)} runs on {where}")
        shown = " ".join(f"{name}={value}" for name, value in run.sizes.items())
        lines = [*host.report(run, outputs, time), f"{time:.4g} s", *verdict.lines]
        word = WORDS[verdict.holds]
        typer.echo(f"{run.kernel} {shown}: {'  '.join([*lines, word])}")
        seconds.append(time)
        wrong += verdict.holds is False
        unchecked += verdict.holds is None
        if output is not None:
            kept.update((f"{name}_{number}", array) for name, array in outputs.items())
    for line in host.summary(runs, seconds):
        typer.echo(line)
    if output is not None:
        save(output, kept)
    if unchecked:
        typer.echo(f"not checked: {unchecked} of {len(runs)} runs")
    if wrong or unchecked < len(runs):
        typer.echo("holds" if not wrong else f"DOES NOT HOLD: {wrong} of {len(runs)} runs")
    if wrong:
        raise typer.Exit(Exit.WRONG)


def _known(host: Host, case: str | None) -> str:
    from weft.diagnostics import close_match

    known = ", ".join(host.cases)
    if case is None:
        raise typer.BadParameter(f"which one? cases: {known}", param_hint="--case")
    if case not in host.cases:
        near = close_match(case, host.cases)
        message = f"no case {case!r}; cases: {known}{near and f'; {near}'}"
        raise typer.BadParameter(message, param_hint="--case")
    return case


def _run(
    setting: Setting, run: Case, progress: Progress
) -> tuple[dict[str, Any], float, Verdict, str]:
    """The outputs by name, the time, the verdict, and who computed."""
    from weft import driver

    sizes: dict[str, Any] = run.sizes
    with asked_for(), verification_told():
        entry = driver.compile(
            setting.source,
            run.kernel,
            setting.target,
            mode=setting.mode,
            on_value=None,
            dump_dir=setting.dump_dir and setting.dump_dir / "_".join(_words(run)),
            verify_each=setting.verify_each,
            without=setting.without,
            sizes=sizes,
        )
    require_sizes(entry)
    shown = f"{run.kernel} {' '.join(f'{k}={v}' for k, v in run.sizes.items())}"
    with progress.step(f"inputs of {shown}"):
        inputs: dict[str, Any] = setting.host.inputs(run)
    with progress.step(f"running {shown}"):
        results, seconds = timed(lambda: called(entry, inputs, **setting.options))
    outputs = dict(zip((p.name for p in entry.outputs), results, strict=True))
    with progress.step(f"checking {shown}"):
        verdict = judged(setting.host, run, outputs, entry, setting.source, inputs)
    return outputs, seconds, verdict, entry.target


def _words(run: Case) -> list[str]:
    return [run.kernel, *map(str, run.sizes.values())]
