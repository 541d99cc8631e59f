# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A rule's number stands in the table, in docs/rules.md and at its check."""

from __future__ import annotations

import re
from pathlib import Path

import weft
from weft.rules import GROUPS, RULES

PAGE = Path(__file__).parent.parent.parent / "docs" / "rules.md"


def test_the_page_has_all_rules() -> None:
    shown = re.findall(r"^### (W\d{3})\n\n\*\*(.*)\*\*$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert dict(shown) == RULES, "docs/rules.md is old: .venv/bin/python .ci/generated_rules.py"
    assert len(shown) == len(RULES)


def test_every_rule_is_in_a_group() -> None:
    assert {rule[:2] for rule in RULES} == set(GROUPS)


def test_the_number_stands_at_the_check() -> None:
    folder = Path(weft.__file__).parent
    sources = [*folder.glob("syntax/*.py"), *folder.glob("semantics/*.py")]
    used = set(re.findall(r"W\d{3}", "".join(p.read_text("utf-8") for p in sources)))
    assert used == set(RULES)
