# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program as callers give it: its text, or the path of a .weft file."""

from __future__ import annotations

import os
from pathlib import Path

from weft.diagnostics import RunError
from weft.frontend import decode


def read_source(source: str | os.PathLike[str]) -> tuple[str, str]:
    """Text and display name of a program given as text or as the path of a .weft file."""
    if not isinstance(source, (str, os.PathLike)):
        raise RunError(
            "the source is no program",
            argument="source",
            expected="its text, or the path of a .weft file",
            found=type(source).__name__,
        )
    if isinstance(source, str) and ("\n" in source or not source.endswith(".weft")):
        _not_a_path(source)
        return source, "<source>"
    path = Path(source)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RunError(
            f"cannot read {path}: {error.strerror}",
            expected="a .weft file",
            found=_beside(path),
            argument="source",
        ) from None
    except ValueError as error:
        raise RunError(f"cannot read {str(path)!r}: {error}", argument="source") from None
    return decode(data, str(path)), str(path)


def _beside(path: Path) -> str:
    """The sources in a folder that was named instead of one of them."""
    try:
        found = sorted(entry.name for entry in path.glob("*.weft")) if path.is_dir() else []
    except OSError:
        found = []
    return f"a folder with {', '.join(found[:5])}" if found else ""


def _not_a_path(text: str) -> None:
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
            argument="source",
            expected="a program's text, or the path of a .weft file",
            found="a folder" if there and path.is_dir() else "a name that does not end in .weft",
            help="pathlib.Path(...) names a source of any name",
        )
