# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files that weft emu run is asked for: where the program writes them, and whether it has.

The emulator writes a file beside its place and renames it. What is no regular file, such as
/dev/stdout or a pipe, gets the content after the run, when the program has printed what it does.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weft.artifacts import is_written_through
from weft.emu import Moment, moment


@dataclass(frozen=True)
class File:
    """`place` is where the emulator writes it; `before` is what was there."""

    path: Path
    place: Path
    before: Moment

    @staticmethod
    def of(path: Path, folder: Path) -> File:
        place = folder / f"through-{path.name}" if is_written_through(path) else path
        return File(path, place, moment(place))

    @property
    def is_new(self) -> bool:
        """A file appears by being renamed; one that was there before is not of this run."""
        return moment(self.place) not in (None, self.before)

    def passed_on(self) -> str:
        """Hands the content to what is no regular file; why it could not be, or nothing."""
        if not is_written_through(self.path):
            return ""
        try:
            with self.place.open("rb") as content, self.path.open("ab") as out:
                shutil.copyfileobj(content, out)
        except OSError as error:
            return f"cannot write {self.path}: {error.strerror}"
        return ""


def asked_for(asked: Mapping[str, Any], folder: Path) -> dict[str, File]:
    """By the field of the request. `folder` is for what goes elsewhere after the run."""
    paths = {name: asked[name] for name in ("report", "trace") if name in asked}
    if "konata" in asked:
        function, _, cpe = asked["konata"].rpartition(":")
        paths["konata_file"] = asked.get("konata_file", Path(f"{function}.{int(cpe)}.kanata"))
    return {name: File.of(path, folder) for name, path in paths.items()}


def written(files: Mapping[str, File], status: int) -> list[str]:
    """What went wrong with the files of a run that has ended."""
    wrong = []
    for file in files.values():
        if file.is_new:
            wrong.append(file.passed_on())
        elif status == 0:  # else the run has told what ended it
            wrong.append(f"{file.path} was not written")
    return [one for one in wrong if one]
