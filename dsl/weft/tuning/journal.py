# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every trial is kept: a file of JSON lines for each kernel, sizes, target, CPU and C compiler.

The files lie in `tuning/` of the kernel cache's folder and are never thrown away by it. A trial
counts again where the same Weft, by its build, has made its code and that of the reference beside
it; what other builds have measured stays for those who read it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from weft import cache_folder
from weft.diagnostics import RunError


@dataclass(frozen=True)
class Entry:
    """A trial: what was said, the least seconds, and those of the reference in the same race."""

    schedule: Mapping[str, list[str]]
    seconds: float
    reference: Mapping[str, list[str]]
    reference_seconds: float
    error: str = ""
    """Why there is no time; then it has none."""

    @property
    def ratio(self) -> float:
        return self.seconds / self.reference_seconds if not self.error else float("inf")


@dataclass
class Journal:
    """The trials of one subject; `about` stands in every line, `build` says whose code it was."""

    file: Path
    about: Mapping[str, Any]
    build: str

    def read(self) -> Iterator[Entry]:
        """Trials of this build. A line that was cut short is none."""
        try:
            lines = self.file.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return
        except (OSError, UnicodeDecodeError) as error:
            raise RunError(
                f"cannot read the trials kept in {self.file}: {error}",
                help="remove that file: they are measured again",
            ) from None
        fields = Entry.__dataclass_fields__
        for line in lines:
            with contextlib.suppress(ValueError, TypeError, KeyError):
                record = json.loads(line)
                if record["build"] == self.build:
                    entry = Entry(**{name: record[name] for name in fields})
                    if entry.error or (entry.seconds > 0 and entry.reference_seconds > 0):
                        yield entry

    def add(self, entry: Entry) -> None:
        """One line at the end of the file; it is whole there, or the next reader drops it."""
        line = json.dumps({**self.about, "build": self.build, **asdict(entry)}) + "\n"
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self.file.open("a+b") as out:
                # What a killed process has left of a line ends here.
                cut = out.tell() > 0 and _last(out) != b"\n"
                out.write(b"\n" * cut + line.encode())
        except OSError as error:
            raise RunError(
                f"cannot keep a trial in {self.file}: {error.strerror}",
                help="free some space, or set WEFT_CACHE_DIR to a folder of yours",
            ) from None


def _last(file: Any) -> bytes:
    file.seek(-1, 2)
    return bytes(file.read(1))


def place(name: str, known: Mapping[str, object]) -> Path:
    """Where the trials of a kernel lie; `known` is all that tells them from others."""
    word = re.sub(r"[^A-Za-z0-9_]", "_", name)[:40]
    key = hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()
    return cache_folder.folder() / "tuning" / f"{word}-{key[:16]}.jsonl"
