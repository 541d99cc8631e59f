# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Weft is doing, told while it does it: to WEFT_VERBOSE's log, and to whoever listens.

WEFT_VERBOSE=1 prints one line an event on standard error, 2 adds passes and calls. A line is CSV:

    weft_verbose,v1,EVENT,KERNEL,TARGET,SIZES,DETAIL,MS

docs/tool.md lists the events. Without a log and without listeners nothing is measured.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from weft import __version__

VARIABLE = "WEFT_VERBOSE"
FIELDS = ("event", "kernel", "target", "sizes", "detail", "ms")
PREFIX = ("weft_verbose", "v1")
LEVELS = {"": 0, "0": 0, "1": 1, "2": 2}

# Read once: a call of a kernel must not pay for asking.
LEVEL = LEVELS.get(os.environ.get(VARIABLE, ""), 1)


@dataclass(frozen=True)
class Subject:
    """The kernel that an event is about, as far as it is known."""

    kernel: str = ""
    target: str = ""
    sizes: tuple[tuple[str, int], ...] = ()

    @staticmethod
    def of(notes: Mapping[str, object]) -> Subject:
        """From what a compiled kernel knows of itself."""
        sizes = notes.get("sizes")
        pairs = tuple(sizes.items()) if isinstance(sizes, Mapping) else ()
        return Subject(str(notes.get("name", "")), str(notes.get("target", "")), pairs)


NOBODY = Subject()


@dataclass(frozen=True)
class Event:
    name: str
    subject: Subject
    detail: str
    seconds: float | None


class Listener(Protocol):
    """Hears of every event; `begin` also of stages that start."""

    def begin(self, name: str, subject: Subject, detail: str) -> None: ...

    def event(self, event: Event) -> None: ...


_listeners: list[Listener] = []
_template_told = False


def active(level: int = 1) -> bool:
    """Whether anybody wants events of that level."""
    return bool(_listeners) or level <= LEVEL


@contextlib.contextmanager
def listening(listener: Listener) -> Iterator[None]:
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def tell(
    name: str,
    subject: Subject = NOBODY,
    detail: str = "",
    seconds: float | None = None,
    level: int = 1,
) -> None:
    """One event that has happened."""
    if level <= LEVEL:
        _print(name, subject, detail, seconds)
    event = Event(name, subject, detail, seconds)
    for listener in list(_listeners):
        listener.event(event)


@contextlib.contextmanager
def timed(name: str, subject: Subject = NOBODY, detail: str = "", level: int = 1) -> Iterator[None]:
    """An event that takes the time of the block; a block that raises is none."""
    if not active(level):
        yield
        return
    for listener in list(_listeners):
        listener.begin(name, subject, detail)
    start = time.perf_counter()
    yield
    tell(name, subject, detail, time.perf_counter() - start, level)


def _print(name: str, subject: Subject, detail: str, seconds: float | None) -> None:
    global _template_told
    lines = ""
    if not _template_told:
        _template_told = True
        lines = _line("template", *FIELDS) + _line("info", detail=f"weft {__version__}")
        if os.environ.get(VARIABLE, "") not in LEVELS:
            lines += _line("info", detail=f"{VARIABLE} is 0, 1 or 2; another value counts as 1")
    sizes = ";".join(f"{size}={value}" for size, value in sorted(subject.sizes))
    spent = "" if seconds is None else f"{seconds * 1e3:.3f}"
    lines += _line(name, subject.kernel, subject.target, sizes, detail, spent)
    # One write: lines of several processes do not mix.
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(lines)
        sys.stderr.flush()


def _line(
    name: str,
    kernel: str = "",
    target: str = "",
    sizes: str = "",
    detail: str = "",
    spent: str = "",
    *more: str,
) -> str:
    import csv
    import io

    out = io.StringIO()
    flat = " ".join(detail.split())
    fields = (*PREFIX, name, kernel, target, sizes, flat, spent, *more)
    csv.writer(out, lineterminator="\n").writerow(fields)
    return out.getvalue()
