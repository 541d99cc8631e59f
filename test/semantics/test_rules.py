# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A rule's number stands in the table, in docs/language.md and at its check; the page's snippets hold."""  # noqa: E501

from __future__ import annotations

import re
from pathlib import Path

import pytest

import weft
from weft.rules import RULES
from weft.semantics.checker import check
from weft.syntax.parser import parse

PAGE = Path(__file__).parent.parent.parent / "docs" / "language.md"
SNIPPETS = re.findall(r"```weft\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


def test_the_page_has_all_rules() -> None:
    rows = re.findall(r"^\| (W\d{3}) \| (.*) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert dict(rows) == RULES
    assert len(rows) == len(RULES)


def test_the_number_stands_at_the_check() -> None:
    folder = Path(weft.__file__).parent
    sources = [*folder.glob("syntax/*.py"), *folder.glob("semantics/*.py")]
    used = set(re.findall(r"W\d{3}", "".join(p.read_text("utf-8") for p in sources)))
    assert used == set(RULES)


@pytest.mark.parametrize("number", range(len(SNIPPETS)))
def test_snippet(number: int) -> None:
    check(parse(SNIPPETS[number], "language.md"))
