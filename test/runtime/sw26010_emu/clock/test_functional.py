# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Without timing a program without races prints the same and ends with the same status: programs of
the lit suite that say nothing of time, and the examples."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from weft import emu

TESTS = Path(__file__).resolve().parents[2]
EXAMPLES = TESTS.parents[1] / "examples" / "athread"
# Lines that build the file as it is, and run it with no words to its end.
BUILT = re.compile(r"^// RUN: %athread %s -o %t($| && %run %t)", re.MULTILINE)
FAULT = re.compile(r"^// RUN:.*\bnot ", re.MULTILINE)
FOLDERS = ["compat", "dma", "host", "library", "memory", "mesh", "simd", "slave", "sync"]
# What these print is time, or depends on it.
TIMED = {
    "busy": "how long transfers take",
    "cost": "cycles of library functions",
    "counters": "performance counters",
    "gld": "whether it takes time",
    "host_cycles": "cycles of the MPE",
    "latency": "cycles of messages",
    "results": "whether CPEs are still at work",
    "results_unused": "whether code takes time",
    "tasks": "who is slow",
    "threads": "who waits for whom",
}


def programs() -> list[Path]:
    found = [
        file
        for folder in FOLDERS
        for file in sorted((TESTS / "sw26010_emu" / folder).glob("*.c"))
        if BUILT.search(text := file.read_text())
        and not FAULT.search(text)
        and file.stem not in TIMED
    ]
    assert len(found) > 20
    return found


def outcome(program: Path, *words: str, functional: str) -> tuple[int, list[str]]:
    done = subprocess.run(
        [program, *words],
        env={**os.environ, "WEFT_EMU_LDM_STACK": "1", "WEFT_EMU_FUNCTIONAL": functional},
        capture_output=True,
        text=True,
        cwd=program.parent,
    )
    assert "weft emu: fault" not in done.stderr
    # Examples tell cycles and rates beside their results; lines of several CPEs come as they come.
    results = [line for line in done.stdout.splitlines() if not re.search("cycles|/s", line)]
    return done.returncode, sorted(results)


@pytest.mark.parametrize("source", programs(), ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_programs_of_the_suite(source: Path, tmp_path: Path) -> None:
    program = tmp_path / "program"
    swcc = emu.native_file("bin/weft-swcc")
    build = [sys.executable, TESTS / "athread.py", swcc, source, "-o", program]
    made = subprocess.run([str(word) for word in build], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    timed = outcome(program, functional="0")
    assert timed[1], "it prints something"
    assert outcome(program, functional="1") == timed


def test_examples(tmp_path: Path) -> None:
    folder = tmp_path / "athread"
    shutil.copytree(EXAMPLES, folder, ignore=shutil.ignore_patterns("*.o"))
    swcc = emu.native_file("bin/weft-swcc")
    made = subprocess.run(["make", f"CC={swcc}"], cwd=folder, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    for words in (["stream", "1024"], ["stream", "96", "24", "8"], ["broadcast"],
                  ["transpose", "256"], ["dgemm", "520", "512", "60"]):  # fmt: skip
        program = folder / words[0] / words[0]
        timed = outcome(program, *words[1:], functional="0")
        assert timed[0] == 0
        assert "right" in " ".join(timed[1])
        assert outcome(program, *words[1:], functional="1") == timed
