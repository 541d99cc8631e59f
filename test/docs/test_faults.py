# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/faults.md has every fault of the emulator; each has a program that says who, when, where."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GENERATOR = ROOT / ".ci" / "generated_faults.py"
PROGRAMS = sorted((ROOT / "test" / "runtime" / "sw26010_emu" / "faults").glob("*.c"))
TOLD = re.compile(r"// [A-Z]+(?:-DAG)?: (?:fault |hazard )?\[[A-Za-z0-9-]+\]")
# "CPE 9 (row 1, column 1), cycle ..., file.c:line": parts of it may be a pattern.
PLACE = re.compile(r"// [A-Z]+(-NEXT|-DAG)?: .*\b(CPE|MPE)\b.*(cycle|\{\{\.\*\}\}).*\.[ch]:")


def test_the_page_is_in_step() -> None:
    done = subprocess.run(
        [sys.executable, GENERATOR, "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_there_are_programs() -> None:
    assert len(PROGRAMS) > 70


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_each_program_expects_a_place(program: Path) -> None:
    lines = program.read_text(encoding="utf-8").splitlines()
    assert any(TOLD.search(line) for line in lines)
    assert any(PLACE.search(line) for line in lines)
