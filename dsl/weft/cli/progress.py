# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A sign of life on standard error for what takes more than a second; nothing for what is quick.

On a terminal one line that moves and goes away, elsewhere a plain line a step. Nothing with
WEFT_VERBOSE, whose log says it all, nor on the ranks of an MPI program after the first.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from weft import events

PATIENCE = 1.0  # seconds
TICK = 0.25
RANKS = ("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID")


class Progress:
    """Steps of a verb. `step` names what goes on now; a thread shows it once it takes long.

    Without `moving` only plain lines, for verbs whose measurements a moving line would disturb.
    """

    def __init__(self, moving: bool = True) -> None:
        self._moving = moving
        self._steps: list[tuple[str, float]] = []
        self._changed = threading.Condition()
        self._done = False
        self._shown = False

    @contextmanager
    def listening(self) -> Iterator[Progress]:
        """While it lasts, stages of compilations are steps too."""
        if not is_wanted():
            yield self
            return
        shower = threading.Thread(target=self._show, name="weft-progress", daemon=True)
        shower.start()
        try:
            with events.listening(self):
                yield self
        finally:
            with self._changed:
                self._done = True
                self._changed.notify_all()
            # The line must be gone before the verb prints.
            shower.join()

    @contextmanager
    def step(self, text: str) -> Iterator[None]:
        self._push(text)
        try:
            yield
        finally:
            self._pop()

    def begin(self, name: str, subject: events.Subject, detail: str) -> None:
        if name == "stage":
            sizes = ", ".join(f"{size}={value}" for size, value in subject.sizes)
            kernel = f" {subject.kernel}" if subject.kernel else ""
            self._push(f"compiling{kernel}{f' [{sizes}]' if sizes else ''}: {detail}")

    def event(self, event: events.Event) -> None:
        if event.name == "stage":
            self._pop()

    def _push(self, text: str) -> None:
        with self._changed:
            self._steps.append((text, time.monotonic()))
            self._changed.notify_all()

    def _pop(self) -> None:
        with self._changed:
            if self._steps:
                self._steps.pop()
            self._changed.notify_all()
            # The verb may print now: the moving line must be gone.
            while self._shown and not self._steps:
                self._changed.wait(PATIENCE)

    def _show(self) -> None:
        """The thread: waits for a step that takes long, then shows it until it ends."""
        line = _MovingLine() if self._moving and is_terminal() else _PlainLines()
        with self._changed:
            try:
                while not self._done:
                    self._changed.wait(self._refreshed(line))
            finally:
                self._done = True
                line.hide()
                self._shown = False
                self._changed.notify_all()

    def _refreshed(self, line: _PlainLines | _MovingLine) -> float | None:
        """Shows or hides the step of now; how long that holds."""
        text, since = self._steps[-1] if self._steps else ("", time.monotonic())
        elapsed = time.monotonic() - since
        if text and elapsed >= PATIENCE:
            self._shown = True
            line.show(text, elapsed)
            return TICK
        line.hide()
        self._shown = False
        self._changed.notify_all()
        return PATIENCE - elapsed if text else None


class _PlainLines:
    """One line for each step that takes long."""

    def __init__(self) -> None:
        self._told = ""

    def show(self, text: str, elapsed: float) -> None:
        del elapsed
        if text != self._told:
            self._told = text
            print(f"weft: {text} ...", file=sys.stderr, flush=True)

    def hide(self) -> None:
        self._told = ""


class _MovingLine:
    """A spinner with the time, gone when the step is done."""

    def __init__(self) -> None:
        self._status: object = None

    def show(self, text: str, elapsed: float) -> None:
        from rich.console import Console
        from rich.markup import escape
        from rich.status import Status

        told = f"{escape(text)} ({elapsed:.0f} s)"
        if isinstance(self._status, Status):
            self._status.update(told)
            return
        console = Console(stderr=True)
        self._status = Status(told, console=console, refresh_per_second=1 / TICK)
        self._status.start()

    def hide(self) -> None:
        if self._status is not None:
            self._status.stop()  # type: ignore[attr-defined]
            self._status = None


def is_terminal() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def is_wanted() -> bool:
    later_rank = any(os.environ.get(name, "0") not in ("", "0") for name in RANKS)
    return events.LEVEL == 0 and not later_rank
