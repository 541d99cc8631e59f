#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/rules.md from dsl/weft/rules.py and test/errors/; --check compares only.

Each rule is shown with the shortest program of test/errors/ that breaks it and nothing else, and
with the message that Weft gives today: what is printed here was printed by the compiler.
"""

from __future__ import annotations

import difflib
import re
import sys
from pathlib import Path

from weft.diagnostics import SourceError
from weft.rules import GROUPS, RULES
from weft.semantics import checker
from weft.syntax.parser import parse

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "rules.md"
ERRORS = ROOT / "test" / "errors"
EXPECT = re.compile(r"^# expect: \d+:\d+ (W\d{3}) ", re.MULTILINE)
SIZES = re.compile(r"^# sizes: (\w+)(.*)$", re.MULTILINE)
TARGET = re.compile(r"^# target: (\w+)$", re.MULTILINE)
# What is longer or wider says less than its message does.
LINES, COLUMNS = 16, 96

HEAD = """\
<!-- Generated from dsl/weft/rules.py and test/errors/ by .ci/generated_rules.py. -->

# Rules

Every rule of the [language](language.md) has a number. The same number stands in the message, at
the check in the compiler's source, and in the name of what must fail: `test/errors/` holds at least
one program a rule. Below each rule: such a program and what Weft says to it.
"""


def failing_programs() -> dict[str, tuple[str, str]]:
    """For each rule the name and text of the shortest program that breaks it alone."""
    found: dict[str, tuple[int, int, str, str]] = {}
    for path in sorted(ERRORS.glob("*.weft")):
        text = path.read_bytes().decode("utf-8", "replace")
        broken = EXPECT.findall(text)
        if not broken:
            continue
        candidate = (len(broken), len(text), path.name, text)
        if broken[0] not in found or candidate < found[broken[0]]:
            found[broken[0]] = candidate
    return {rule: (name, text) for rule, (_, _, name, text) in found.items()}


def message(
    name: str, text: str, sizes: re.Match[str] | None, target: re.Match[str] | None
) -> list[str]:
    """What Weft says to the program."""
    try:
        checked = checker.check(parse(text, name))
        if sizes:
            pairs = (pair.split("=") for pair in sizes[2].split())
            values = {key: int(value) for key, value in pairs}
            checker.instantiate(checked, sizes[1], values, target[1] if target else None)
    except SourceError as error:
        lines = (line.rstrip() for line in error.render().splitlines())
        return [line if len(line) <= 120 else line[:COLUMNS] + " …" for line in lines]
    raise SystemExit(f"test/errors/{name}: nothing is wrong with it")


def entry(rule: str, name: str, text: str) -> list[str]:
    sizes, target = SIZES.search(text), TARGET.search(text)
    notes = ("# expect:", "# sizes:", "# target:")
    kept = [line for line in text.splitlines() if not line.startswith(notes)]
    # Without the comments at the end, so that the message speaks of the lines that are shown.
    program = "\n".join(kept).rstrip("\n") + "\n"
    shown = program.splitlines()
    lines = [f"### {rule}", "", f"**{RULES[rule]}**", ""]
    fits = len(shown) <= LINES and all(len(line) <= COLUMNS for line in shown)
    if fits and all(line.isprintable() for line in shown):
        lines += [f'```weft title="{name}"', *shown, "```", ""]
        if sizes:
            given = ", ".join(sizes[2].split())
            where = f"With {given}" if given else "Where its sizes are not given"
            lines += [f"{where}, compiled for {target[1]}:" if target else f"{where}:", ""]
    return [*lines, "```text", *message(name, program, sizes, target), "```", ""]


def page() -> str:
    programs = failing_programs()
    lines = [HEAD]
    for group, title in GROUPS.items():
        rules = [rule for rule in RULES if rule.startswith(group)]
        lines += [f"## {title}", ""]
        for rule in rules:
            if rule in programs:
                lines += entry(rule, *programs[rule])
            else:
                lines += [f"### {rule}", "", f"**{RULES[rule]}**", ""]
    return "\n".join(lines).rstrip() + "\n"


def main() -> int:
    fresh = page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(fresh, encoding="utf-8")
        return 0
    committed = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    if committed == fresh:
        return 0
    difference = difflib.unified_diff(
        committed.splitlines(), fresh.splitlines(), "docs/rules.md", "generated", lineterm="", n=1
    )
    print("\n".join(list(difference)[:40]))
    print("docs/rules.md is older than the rules or their messages: .ci/generated_rules.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
