# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random well-typed kernels: accepted, well formed, and equal to the reference when compiled."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import skip_unless_runnable
from fuzz import compare
from fuzz.kernels import Program, generate, of_seed
from semantics.typed_rules import check_module
from weft import machine
from weft.semantics import checker
from weft.syntax import parser

programs = st.randoms(use_true_random=False).map(generate)
TEST = Path(__file__).parents[1]
BATCHES = range(0, 6 * compare.BATCH, compare.BATCH)
NIGHTLY = range(100_000, 110_000, 10 * compare.BATCH)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs)
def test_accepted_and_well_formed(program: Program) -> None:
    checked = checker.check(parser.parse(program.text, "t.weft"))
    check_module(checker.instantiate(checked, program.kernel, program.sizes))


def hold(target: str, first: int, count: int) -> None:
    """In a process of its own: a fault in C++ or in emitted C ends the process that has it."""
    skip_unless_runnable(machine.load(target))
    words = ["-m", "fuzz.compare", f"{first}:{first + count}", "--target", target]
    done = subprocess.run(
        [sys.executable, *words], cwd=TEST, capture_output=True, text=True, check=False
    )
    reproduce = f"reproduce: cd test && python {' '.join(words)}"
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-3000:]}\n{reproduce}"
    assert f"to {first + count}: 0 wrong" in done.stderr


@pytest.mark.parametrize("target", compare.TARGETS)
@pytest.mark.parametrize("first", BATCHES)
def test_equal_to_the_reference(target: str, first: int) -> None:
    hold(target, first, compare.BATCH)


@pytest.mark.nightly
@pytest.mark.parametrize("target", compare.TARGETS)
@pytest.mark.parametrize("first", NIGHTLY)
def test_many_equal_to_the_reference(target: str, first: int) -> None:
    hold(target, first, NIGHTLY.step)


def test_a_wrong_element_is_seen() -> None:
    """The judge itself: a change beyond rounding in one element of any output is told."""
    told = 0
    for seed in range(40):
        program = of_seed(seed)
        _, expected = compare.expected_of(program)
        assert compare.differences(program, expected, expected) == []
        pick = random.Random(seed)
        for number, array in enumerate(expected):
            spoiled = [a.copy() for a in expected]
            at = pick.randrange(array.size)
            changed = ~array.flat[at] if array.dtype == bool else array.flat[at] * 1.01 + 1
            spoiled[number].flat[at] = changed
            told += bool(compare.differences(program, spoiled, expected))
    assert told > 60
