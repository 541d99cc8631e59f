# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A sign of life for what takes long: on standard error only, and nothing for what is quick."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from weft import toolchain

TOOL = str(Path(sys.executable).with_name("weft"))
SOURCE = "kernel wave[n: size](x: c128[n]) -> (y: c128[n]):\n    y = dft(x, axis=0)\n"


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    (tmp_path / "wave.weft").write_text(SOURCE)
    file = str(tmp_path / "wave.weft")
    return [TOOL, "run", file, "--size", "n=8", "--target", "portable"]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A C compiler that takes its time, and an empty cache."""
    slow = tmp_path / "slow-cc"
    real = toolchain.find_compiler().path
    slow.write_text(
        f'#!/bin/sh\nfor a in "$@"; do [ "$a" = -S ] && sleep 1.5; done\nexec {real} "$@"\n'
    )
    slow.chmod(0o755)
    cache = str(tmp_path / "cache")
    return {**os.environ, "WEFT_CC": str(slow), "WEFT_CACHE_DIR": cache, "TERM": "xterm"}


def told(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    assert done.stdout.endswith("holds\n")
    assert "compiling" not in done.stdout
    return done.stderr


def test_plain_line_for_a_slow_step_and_none_from_the_cache(
    command: list[str], environment: dict[str, str]
) -> None:
    assert "weft: compiling wave [n=8]: C compiler ...\n" in told(command, environment)
    assert "C compiler" not in told(command, environment)


@pytest.mark.parametrize("variable", ["WEFT_VERBOSE", "OMPI_COMM_WORLD_RANK"])
def test_silent_beside_the_log_and_on_later_ranks(
    command: list[str], environment: dict[str, str], variable: str
) -> None:
    assert "weft: compiling" not in told(command, {**environment, variable: "1"})


@pytest.mark.parametrize("no_color", [False, True])
def test_moving_line_on_a_terminal_is_gone_in_the_end(
    command: list[str], environment: dict[str, str], no_color: bool
) -> None:
    if no_color:
        environment["NO_COLOR"] = "1"
    master, slave = pty.openpty()
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=slave, text=True
    )
    os.close(slave)
    shown = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        shown += piece
        if not piece:
            break
    os.close(master)
    assert process.communicate()[0].endswith("holds\n")
    assert process.returncode == 0
    text = shown.decode()
    # On a busy machine the first second may pass unseen.
    assert re.search(r"compiling wave \[n=8\]: C compiler \([1-9] s\)", text)
    assert text.rstrip().endswith("\x1b[2K"), "the line is wiped"
    assert ("\x1b[32m" in text) != no_color
