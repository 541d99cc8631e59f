# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the passes say of their choices: `decided` or `rejected`, where, why.

A pass says it by dsl/passes/Notes.h; dumps and `weft explain` show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from weft.native import _compiler

FIELDS = ("outcome", "what", "why", "numbers", "line", "column", "times")


@dataclass(frozen=True)
class Note:
    """One choice; `times` of them were alike. `line` is 0 where it has no place in the source."""

    by: str
    outcome: str
    what: str
    why: str
    numbers: Mapping[str, int]
    line: int
    column: int
    times: int

    @staticmethod
    def from_json(entry: Mapping[str, Any]) -> Note:
        return Note(entry["pass"], *(entry[name] for name in FIELDS))

    def to_json(self) -> dict[str, Any]:
        return {"pass": self.by, **{name: getattr(self, name) for name in FIELDS}}


def collected(native: Iterable[_compiler.Note], flags: Sequence[str]) -> list[Note]:
    """Those of a module, in the order of the passes, then of the source."""
    found = [Note(note.pass_, *(getattr(note, name) for name in FIELDS)) for note in native]
    order = {flag: number for number, flag in reversed(list(enumerate(flags)))}
    return sorted(found, key=lambda n: (order.get(n.by, len(order)), n.line, n.column, n.outcome))


def text(notes: Sequence[Note]) -> str:
    """For the eye: a heading a pass, two lines a note."""
    lines: list[str] = []
    last = ""
    for note in notes:
        if note.by != last:
            last = note.by
            lines.append(f"{note.by}:")
        place = f"{note.line}:{note.column}" if note.line else "-"
        times = f" ({note.times} times)" if note.times > 1 else ""
        lines.append(f"  {place:<8}{note.outcome:<10}{note.what}{times}")
        if note.why:
            lines.append(f"{'':<20}{note.why}")
    return "\n".join(lines) + "\n" if lines else ""
