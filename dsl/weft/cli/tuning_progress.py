# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far a search or a calibration is: a bar on a terminal, elsewhere a line now and then.

The bar is drawn only between races: a thread that draws would be timed, too.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from weft.cli import progress

if TYPE_CHECKING:
    from weft.tuning.search import Progress
    from weft.tuning.space import Space

EVERY = 10.0  # seconds between two lines


Told: TypeAlias = Callable[[float, str], None]
"""How much of the whole is done, and what to say of it."""


@contextmanager
def searching(space: Space, budget: float) -> Iterator[Callable[[Progress], None] | None]:
    """Takes what the search tells, or nothing where nobody looks."""
    with _shown("tuning", budget, "s") as told:
        if told is None:
            yield None
            return
        yield lambda seen: told(seen.seconds, _text(space, seen))


@contextmanager
def calibrating(target: str) -> Iterator[Callable[[int, int], None] | None]:
    """Takes what is done of how much."""
    with _shown(f"calibrating {target}", 100, "%") as told:
        if told is None:
            yield None
            return
        yield lambda done, of: told(100 * done / of, "")


@contextmanager
def _shown(title: str, whole: float, unit: str) -> Iterator[Told | None]:
    if not progress.is_wanted():
        yield None
    elif progress.is_terminal():
        with _bar(title, whole, unit) as told:
            yield told
    else:
        yield _lines(title, whole, unit)


def _text(space: Space, seen: Progress) -> str:
    best = f"{seen.ratio:.3f} of the model's" if seen.ratio < 1 else "the model's choice"
    said = space.told(seen.best) if seen.ratio < 1 else ""
    return f"{seen.trials} trials, best {best}{': ' + said if said else ''}"


@contextmanager
def _bar(title: str, whole: float, unit: str) -> Iterator[Told]:
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn(title),
        BarColumn(bar_width=24),
        TextColumn(f"{{task.completed:.0f}} of {{task.total:.0f}} {unit}"),
        TextColumn("{task.description}"),
    )
    console = Console(stderr=True)
    with Bar(*columns, console=console, transient=True, auto_refresh=False) as bar:
        task = bar.add_task("", total=whole)

        def told(done: float, text: str) -> None:
            bar.update(task, completed=min(done, whole), description=escape(text), refresh=True)

        yield told


def _lines(title: str, whole: float, unit: str) -> Told:
    last = time.monotonic()

    def told(done: float, text: str) -> None:
        nonlocal last
        if time.monotonic() - last >= EVERY:
            last = time.monotonic()
            shown = f"weft: {title}, {done:.0f} of {whole:.0f} {unit}: {text}"
            print(shown, file=sys.stderr, flush=True)

    return told
