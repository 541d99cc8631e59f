# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/emulator.md tells every key of a report, every counter and every word, and no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from emulating import KERNEL, MAIN, by_hand
from weft import emu
from weft.cli.emu_run import OPTIONS

ROOT = Path(__file__).resolve().parents[4]
WHOLE = (ROOT / "docs" / "emulator.md").read_text(encoding="utf-8")
PAGE = re.sub(r"^```.*?^```$", "", WHOLE, flags=re.MULTILINE | re.DOTALL)


def section(title: str) -> str:
    return re.split(r"^##+ ", PAGE.split(f"\n{title}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


def rows(text: str) -> list[list[str]]:
    table = [line for line in text.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table]


def code(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """A run that ends well and one that does not: together they have every key."""
    folder = tmp_path_factory.mktemp("schema")
    faulty = MAIN.replace("athread_join();", "").replace("turn < 3", "turn < 1")
    return [
        emu.run([by_hand(folder, KERNEL + MAIN)]).report,
        emu.run([by_hand(folder, KERNEL + faulty, "faulty")]).report,
    ]


def keys(value: Any, path: str = "") -> Iterator[str]:
    """Paths of all keys, without those that are names of counters or kinds of LDM."""
    if isinstance(value, list):
        for one in value:
            yield from keys(one, f"{path}[]")
    elif isinstance(value, dict):
        for key, one in value.items():
            inner = f"{path}.{key}" if path else key
            yield inner
            if key not in ("counters", "ldm"):
                yield from keys(one, inner)


def documented() -> set[str]:
    """Paths of the first columns; a name that begins with a point belongs to what is before it."""
    found = set()
    before = ""
    for key, *_ in rows(section("## The report")):
        for name in code(key):
            if name.startswith("."):
                name = before + name
            elif "." in name:
                before = name.rpartition(".")[0]
            found.add(name.removesuffix("[]"))
    return found


def test_every_key_is_documented(reports: list[dict[str, Any]]) -> None:
    told = set(code(section("## The report")))
    names = {part.removesuffix("[]") for name in told for part in name.split(".")}
    for report in reports:
        assert {key.split(".")[-1] for key in keys(report)} - names == set()


def test_every_documented_key_is_there(reports: list[dict[str, Any]]) -> None:
    there = {key for report in reports for key in keys(report)}
    derived = {name for name in documented() if "." not in name} - there
    assert {name for name in documented() if "." in name} <= there
    # The second table has what is below `derived`.
    assert derived == set(reports[0]["derived"])


def test_counters_are_those_of_the_emulator() -> None:
    told = [[code(name)[0], *rest] for name, *rest in rows(section("### Counters"))]
    assert told == [[*one.values()] for one in emu.counters()]


def test_words_are_those_of_the_tool() -> None:
    told = {name.split()[0] for key, *_ in rows(section("## weft emu run")) for name in code(key)}
    assert told == set(OPTIONS)


def test_variables_are_those_of_a_request() -> None:
    told = {name.split("=")[0] for key, *_ in rows(section("## Variables")) for name in code(key)}
    assert told == {*emu.VARIABLES, "WEFT_SW26010_MACHINE"}


def test_the_version_is_documented() -> None:
    assert f"`{emu.SCHEMA}`, {emu.SCHEMA_VERSION}" in section("## The report")
