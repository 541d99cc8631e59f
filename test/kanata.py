# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads Kanata logs, version 0004, and refuses what the format does not allow."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Line:
    """An instruction: what the viewer shows of it, and when it was in which stage."""

    begin: int
    label: str = ""
    detail: str = ""
    stages: list[tuple[str, int, int]] = field(default_factory=list)  # name, begin, end
    open: dict[str, int] = field(default_factory=dict)
    end: int | None = None
    retired: int | None = None

    def stage(self, name: str) -> tuple[int, int]:
        return next((begin, end) for named, begin, end in self.stages if named == name)


def read(path: Path) -> list[Line]:
    """All instructions, in the order of the file."""
    rows = [row.split("\t") for row in path.read_text().splitlines()]
    assert rows.pop(0) == ["Kanata", "0004"]
    lines: list[Line] = []
    cycle: int | None = None
    for command, *words in rows:
        if command == "C=":
            assert cycle is None, "the first cycle is set once"
            cycle = int(words[0])
            continue
        assert cycle is not None, "nothing comes before the first cycle"
        if command == "C":
            assert int(words[0]) > 0, "time goes on"
            cycle += int(words[0])
            continue
        number = int(words[0])
        if command == "I":
            assert number == len(lines), "instructions are numbered from 0 without gaps"
            assert len(words) == 3
            lines.append(Line(cycle))
            continue
        line = lines[number]
        assert line.end is None, "what has retired is gone"
        if command == "L":
            kind, text = words[1:]
            setattr(line, {"0": "label", "1": "detail"}[kind], text)
        elif command == "S":
            assert words[1] == "0"
            assert not line.open, "a lane has one stage at a time"
            line.open[words[2]] = cycle
        elif command == "E":
            line.stages.append((words[2], line.open.pop(words[2]), cycle))
        elif command == "R":
            assert not line.open
            line.end, line.retired = cycle, int(words[1])
            assert words[2] == "0"
        else:
            raise AssertionError(f"no command {command!r}")
    assert all(line.end is not None for line in lines)
    order = sorted(lines, key=lambda line: line.retired or 0)
    assert [line.retired for line in order] == list(range(len(lines)))
    assert [line.end for line in order] == sorted(line.end or 0 for line in lines)
    return lines
