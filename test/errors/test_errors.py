# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One wrong program a file; the comments at its end say what must be reported, and nothing else.

# sizes: KERNEL n=4 m=5            the error is found at instantiation with these sizes
# target: NAME                     and for this target, whose schedules act
# expect: LINE:COLUMN RULE part of the message
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from weft.diagnostics import Diagnostic, SourceError
from weft.rules import RULES
from weft.semantics import checker
from weft.syntax.parser import parse
from weft.syntax.source import decode

FOLDER = Path(__file__).parent
PROGRAMS = sorted(FOLDER.glob("*.weft"))
EXPECT = re.compile(r"^# expect: (\d+):(\d+) (W\d{3}) (.*)$", re.MULTILINE)
SIZES = re.compile(r"^# sizes: (\w+)(.*)$", re.MULTILINE)
TARGET = re.compile(r"^# target: (\w+)$", re.MULTILINE)
# Rules that no file of this folder can break: see test_source.py.
TESTED_ELSEWHERE = {"W012"}


def diagnostics_of(text: str, path: str) -> list[Diagnostic]:
    try:
        checked = checker.check(parse(text, path))
        if sizes := SIZES.search(text):
            pairs = (pair.split("=") for pair in sizes[2].split())
            values = {name: int(value) for name, value in pairs}
            target = TARGET.search(text)
            checker.instantiate(checked, sizes[1], values, target[1] if target else None)
    except SourceError as error:
        return error.diagnostics
    return []


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_wrong_program(path: Path) -> None:
    text = decode(path.read_bytes(), path.name)
    expected = [(int(m[1]), int(m[2]), m[3], m[4]) for m in EXPECT.finditer(text)]
    assert expected, "the file says nothing about what is expected"
    found = diagnostics_of(text, path.name)
    assert [(d.span.line, d.span.column, d.rule) for d in found] == [e[:3] for e in expected]
    for diagnostic, (line, column, rule, part) in zip(found, expected, strict=True):
        assert part in f"{diagnostic.message} {diagnostic.found}"
        rendered = diagnostic.render()
        assert rendered.startswith(f"{path.name}:{line}:{column}: error[{rule}]: ")
        assert "^" in rendered
        assert "Traceback" not in rendered
        assert diagnostic.expected or diagnostic.help, "no way out is shown"


def test_every_rule_has_a_failing_program() -> None:
    broken = {m[3] for p in PROGRAMS for m in EXPECT.finditer(p.read_text("utf-8", "replace"))}
    assert set(RULES) - broken == TESTED_ELSEWHERE
    assert broken <= set(RULES)
