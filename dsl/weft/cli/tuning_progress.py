# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far a search is: a bar on a terminal, elsewhere a line now and then.

The bar is drawn only between races: a thread that draws would be timed, too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from weft.cli import progress

if TYPE_CHECKING:
    from weft.tuning.search import Progress
    from weft.tuning.space import Space

EVERY = 10.0  # seconds between two lines


@contextmanager
def shown(space: Space, budget: float) -> Iterator[Callable[[Progress], None] | None]:
    """Takes what the search tells, or nothing where nobody looks."""
    if not progress.is_wanted():
        yield None
    elif progress.is_terminal():
        with _bar(space, budget) as told:
            yield told
    else:
        yield _lines(space, budget)


def _text(space: Space, seen: Progress) -> str:
    best = f"{seen.ratio:.3f} of the model's" if seen.ratio < 1 else "the model's choice"
    said = space.told(seen.best) if seen.ratio < 1 else ""
    return f"{seen.trials} trials, best {best}{': ' + said if said else ''}"


@contextmanager
def _bar(space: Space, budget: float) -> Iterator[Callable[[Progress], None]]:
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("tuning"),
        BarColumn(bar_width=24),
        TextColumn("{task.completed:.0f} of {task.total:.0f} s"),
        TextColumn("{task.description}"),
    )
    console = Console(stderr=True)
    with Bar(*columns, console=console, transient=True, auto_refresh=False) as bar:
        task = bar.add_task("", total=budget)

        def told(seen: Progress) -> None:
            done = min(seen.seconds, budget)
            bar.update(task, completed=done, description=escape(_text(space, seen)), refresh=True)

        yield told


def _lines(space: Space, budget: float) -> Callable[[Progress], None]:
    last = 0.0

    def told(seen: Progress) -> None:
        nonlocal last
        if seen.seconds - last >= EVERY:
            last = seen.seconds
            text = f"weft: tuning, {seen.seconds:.0f} of {budget:.0f} s: {_text(space, seen)}"
            print(text, file=sys.stderr, flush=True)

    return told
