# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft tune: a schedule found by measurement; or this CPU's own numbers for the cost model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weft.cli import Exit, completing
from weft.cli.failure import asked_for
from weft.cli.options import (
    CaseName,
    KernelName,
    Sizes,
    Target,
    Threads,
    a_path,
    one_kernel,
    parse_sizes,
    require_given,
    require_threads,
    sizes_of_case,
    split_kernel,
)

if TYPE_CHECKING:
    from weft.tuning.search import Result
    from weft.tuning.tuner import Tuner

UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
LONGEST = 7 * 24 * 3600.0
SHOWN = 8  # of the trials
DEFAULT_BUDGET = "60s"
CALIBRATION = "The cost model's own numbers"


def tune(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE[:KERNEL]", help="A .weft file.", autocompletion=completing.sources
        ),
    ] = None,
    kernel: KernelName = None,
    case: CaseName = None,
    size: Sizes = None,
    target: Target = None,
    threads: Threads = None,
    budget: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help=f"How long to search: 30s (or 30), 5m, 1h. Default {DEFAULT_BUDGET}.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            parser=a_path,
            metavar="FILE",
            help="Write the schedule there, not to the screen.",
        ),
    ] = None,
    calibrate: Annotated[
        bool,
        typer.Option(
            "--calibrate",
            help="Measure what stages of transforms cost on this CPU; compilations use it then.",
            rich_help_panel=CALIBRATION,
        ),
    ] = False,
    remove: Annotated[
        bool,
        typer.Option(
            "--remove",
            help="With --calibrate: forget what was measured.",
            rich_help_panel=CALIBRATION,
        ),
    ] = False,
) -> None:
    """Search the schedule of a kernel that runs fastest on this machine."""
    if remove and not calibrate:
        raise typer.BadParameter("it goes with --calibrate", param_hint="--remove")
    if calibrate:
        from weft.cli import calibrate as calibrating

        given = {
            "FILE": file,
            "--kernel": kernel,
            "--case": case,
            "--size": size,
            "--threads": threads,
            "--budget": budget,
            "-o": output,
        }
        wrong = next((name for name, value in given.items() if value is not None), None)
        if wrong is not None:
            message = "a calibration is of the machine, not of a kernel; leave it out"
            raise typer.BadParameter(message, param_hint=wrong)
        calibrating.run(target, remove)
        return
    if file is None:
        message = "a .weft file is missing; or --calibrate"
        raise typer.BadParameter(message, param_hint="FILE")
    seconds = seconds_of(DEFAULT_BUDGET if budget is None else budget)
    sizes = parse_sizes(size)
    require_threads(threads, target)
    path, named = split_kernel(file)
    from weft import artifacts
    from weft.cli.progress import Progress

    with asked_for():
        if output is not None:
            artifacts.require_writable(output)
            _require_schedule(output)
        with Progress().listening():
            tuner = _tuner(path, one_kernel(kernel, named), case, sizes, target, threads or 1)
    for line in tuner.space.left:
        typer.echo(f"weft: not tuned: {line}", err=True)
    result = _searched(tuner, seconds)
    text = tuner.schedule(result)
    for line in summary(tuner, result):
        typer.echo(line, err=True)
    if output is None:
        typer.echo(text, nl=False)
    else:
        artifacts.write_whole(output, text)
        typer.echo(str(output))
    if result.why == "interrupted":
        raise typer.Exit(Exit.INTERRUPTED)


def seconds_of(text: str) -> float:
    """`90`, `60s`, `5m`, `1h` as seconds; what is no time, or none at all, is refused."""
    unit = text[-1:] if text[-1:].isalpha() else ""
    number = text[: len(text) - len(unit)]
    try:
        seconds = float(number) * UNITS[unit]
    except (ValueError, KeyError):
        message = f"{text!r}: expected a time such as 30s, 5m or 1h"
        raise typer.BadParameter(message, param_hint="--budget") from None
    if not 0 < seconds <= LONGEST:
        message = f"{text!r}: expected more than nothing and at most a week"
        raise typer.BadParameter(message, param_hint="--budget")
    return seconds


def _tuner(
    path: Path,
    kernel: str | None,
    case: str | None,
    sizes: dict[str, int],
    target: str | None,
    threads: int,
) -> Tuner:
    from weft import driver
    from weft.tuning import tuner

    outline = driver.outline(path, kernel)
    if case is not None:
        sizes = sizes_of_case(outline, case, sizes)
    # A size that the kernel does not have is told first.
    if all(name in outline.missing for name in sizes):
        missing = [name for name in outline.missing if name not in sizes]
        require_given(outline.name, missing, outline.cases)
    return tuner.Tuner(tuner.Subject.make(path, outline.name, target, sizes, threads))


def _require_schedule(path: Path) -> None:
    """A file that would be lost: what is there already has schedules only."""
    from weft import frontend
    from weft.diagnostics import WeftError

    if not path.is_file():
        return
    try:
        data = path.read_bytes()
        frontend.schedules_in(frontend.decode(data, str(path)), str(path))
    except (OSError, WeftError):
        message = f"{path} is there already and is no file of schedules: it would be lost"
        raise typer.BadParameter(message, param_hint="-o") from None


def _searched(tuner: Tuner, budget: float) -> Result:
    from weft.cli.tuning_progress import searching

    with searching(tuner.space, budget) as told:
        return tuner.run(budget, told)


def summary(tuner: Tuner, result: Result) -> list[str]:
    """The fastest trials, and how the search ended."""
    space = tuner.space
    # Times of the last race count: all were measured together there.
    outcomes = {**result.trials, **{o.point: o for o in result.final}}
    ranked = sorted((o for o in outcomes.values() if not o.error), key=lambda o: o.ratio)
    rows = [(o.ratio, space.told(o.point)) for o in ranked if o.point != space.model]
    rows.append((1.0, f"{space.told(space.model) or 'no directive'}  (the cost model's choice)"))
    rows.sort(key=lambda row: row[0])
    lines = [f"{ratio:6.3f}  {told}" for ratio, told in rows[:SHOWN]]
    if all(ratio != 1.0 for ratio, _ in rows[:SHOWN]):
        lines += [f"{ratio:6.3f}  {told}" for ratio, told in rows if told.endswith("choice)")]
    failed = [o for o in outcomes.values() if o.error]
    lines += [f"  none  {space.told(o.point)}: {o.error}" for o in failed[:SHOWN]]
    ends = {
        "all": "every schedule that was likely has been tried",
        "budget": "the time is over: a longer --budget goes on from here",
        "interrupted": "interrupted: the same command goes on from here",
    }
    again = f", {result.again} of them known from before" if result.again else ""
    lines.append(f"{len(result.trials)} trials{again}; {ends[result.why]}")
    lines.append(f"kept in {tuner.journal.file}")
    return lines
