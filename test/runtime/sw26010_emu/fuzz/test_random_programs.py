# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs compute what NumPy does, with timing and without, in the same cycles each time.

WEFT_SWCC names the weft-swcc to use; `make sanitize` gives that of its own build. A seed that fails
is tried again by -k."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from weft import emu

from .programs import program


def swcc() -> str:
    return os.environ.get("WEFT_SWCC") or str(emu.native_file("bin/weft-swcc"))


def compiled(folder: Path, slave: str, host: str, *words: str) -> Path:
    (folder / "slave.c").write_text(slave)
    (folder / "host.c").write_text(host)
    for command in (
        ["-slave", "-msimd", *words, "-c", "slave.c", "-o", "slave.o"],
        ["-host", "-c", "host.c", "-o", "host.o"],
        ["-hybrid", "host.o", "slave.o", "-o", "program"],
    ):
        done = subprocess.run([swcc(), *command], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[:4000]
    return folder / "program"


def output(made: Path, **variables: str) -> bytes:
    done = subprocess.run([made], capture_output=True, env={**os.environ, **variables}, timeout=300)
    # No fault, and no race: these programs have none.
    assert done.returncode == 0, done.stderr.decode()[:4000]
    assert done.stderr == b"", done.stderr.decode()[:4000]
    return done.stdout


def check(folder: Path, seed: int) -> None:
    made = program(seed)
    # Arrays of functions in LDM (-b) or not, and what the C compiler does to the code.
    level = ("-O2", "-O3", "-O1", "-O0")[seed % 4]
    built = compiled(folder, made.slave, made.host, level)
    stack = str(seed // 4 % 2)
    reports = []
    for turn in range(2):
        report = folder / f"report{turn}.json"
        given = output(built, WEFT_EMU_LDM_STACK=stack, WEFT_EMU_REPORT=str(report))
        assert given == made.expected(), f"seed {seed}, timed"
        reports.append(json.loads(report.read_text()))
    assert reports[0] == reports[1], f"seed {seed}: two runs differ"
    assert reports[0]["hazards"] == []
    assert output(built, WEFT_EMU_LDM_STACK=stack, WEFT_EMU_FUNCTIONAL="1") == made.expected(), (
        f"seed {seed}, functional"
    )


@pytest.mark.parametrize("seed", range(8))
def test_a_few(tmp_path: Path, seed: int) -> None:
    check(tmp_path, seed)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(1000, 1150))
def test_many(tmp_path: Path, seed: int) -> None:
    check(tmp_path, seed)
