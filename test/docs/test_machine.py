# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/machine.md has every number of the machine's table, as it is there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from weft.emu import Parameter, parameters

ROOT = Path(__file__).resolve().parents[2]
GENERATOR = ROOT / ".ci" / "generated_machine.py"
FOUND = parameters(ROOT / "targets" / "sw26010" / "machine.toml")
CONFIDENCE = {"specification", "measured", "conservative", "convention", "fitted"}


def test_the_page_is_in_step() -> None:
    done = subprocess.run(
        [sys.executable, GENERATOR, "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("one", FOUND, ids=lambda one: one.name)
def test_each_number_says_what_it_is(one: Parameter) -> None:
    assert one.confidence in CONFIDENCE
    assert len(one.source) > 5
    # Only a number that counts nothing in particular has no unit.
    assert one.unit or one.name == "cpe.literal_limit"
