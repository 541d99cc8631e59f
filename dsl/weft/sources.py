# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program as callers give it: its text, or the path of a .weft file; and schedules beside it."""

from __future__ import annotations

import os
from pathlib import Path

from weft import frontend
from weft.diagnostics import RunError
from weft.frontend import decode


class Named(str):
    """A program's text that knows what messages call its file."""

    path = "<source>"

    @staticmethod
    def make(text: str, path: str) -> Named:
        named = Named(text)
        named.path = path
        return named


def scheduled(source: str | os.PathLike[str], schedule: str | os.PathLike[str]) -> Named:
    """The program with the schedules of another file.

    They take the place of the program's own for the same kernel and target, which stay as comments:
    every line of the program keeps its number. Messages about a schedule name its own file.

    Args:
        source: The program, as `read_source` takes it.
        schedule: The schedules: their text, or the path of a .weft file.
    """
    text, path = read_source(source)
    more, more_path = read_source(schedule, role="schedule")
    if more_path == "<source>":
        more_path = "<schedule>"
    added = frontend.schedules_in(more, more_path)
    own = frontend.lines_of_schedules(text, path)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    lines = text.splitlines(keepends=True)
    for (first, last), names in own.items():
        if names in added:
            for number in range(first - 1, last):
                lines[number] = "# " + lines[number]
    joined = "".join(lines)
    if not joined.endswith("\n"):
        joined += "\n"
    shown = more_path.replace('"', "'")
    return Named.make(f'{joined}#line 1 "{shown}"\n{more}', path)


def read_source(source: str | os.PathLike[str], role: str = "source") -> tuple[str, str]:
    """Text and display name of a program given as text or as the path of a .weft file."""
    if isinstance(source, Named):
        return str(source), source.path
    if not isinstance(source, (str, os.PathLike)):
        raise RunError(
            f"the {role} is no program",
            argument=role,
            expected="its text, or the path of a .weft file",
            found=type(source).__name__,
        )
    if isinstance(source, str) and ("\n" in source or not source.endswith(".weft")):
        _not_a_path(source, role)
        return source, "<source>"
    path = Path(source)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RunError(
            f"cannot read {path}: {error.strerror}",
            expected="a .weft file",
            found=_beside(path),
            argument=role,
        ) from None
    except ValueError as error:
        raise RunError(f"cannot read {str(path)!r}: {error}", argument=role) from None
    return decode(data, str(path)), str(path)


def _beside(path: Path) -> str:
    """The sources in a folder that was named instead of one of them."""
    try:
        found = sorted(entry.name for entry in path.glob("*.weft")) if path.is_dir() else []
    except OSError:
        found = []
    return f"a folder with {', '.join(found[:5])}" if found else ""


def _not_a_path(text: str, role: str) -> None:
    """A string that names a file or looks as if it did was not meant as a program."""
    if "\n" in text or "(" in text or not text.strip():
        return
    looks = "/" in text or "\\" in text or text.startswith("~")
    path = Path(text)
    try:
        there = path.exists()
    except (OSError, ValueError):
        there = False  # too long for a name, or with a NUL: no file
    if looks or there or path.suffix in (".py", ".txt", ".mlir", ".c"):
        raise RunError(
            f"{text!r} is a path, not a program",
            argument=role,
            expected="a program's text, or the path of a .weft file",
            found="a folder" if there and path.is_dir() else "a name that does not end in .weft",
            help="pathlib.Path(...) names a source of any name",
        )
