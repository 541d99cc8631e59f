# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random well-typed kernels: accepted, well formed, and equal to the reference when compiled."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fuzz import compare
from fuzz.kernels import Program, generate, of_seed
from semantics.typed_rules import check_module
from weft.semantics import checker
from weft.syntax import parser

programs = st.randoms(use_true_random=False).map(generate)
BATCHES = range(0, 4 * compare.BATCH, compare.BATCH)
NIGHTLY = range(100_000, 110_000, 10 * compare.BATCH)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs)
def test_accepted_and_well_formed(program: Program) -> None:
    checked = checker.check(parser.parse(program.text, "t.weft"))
    check_module(checker.instantiate(checked, program.kernel, program.sizes))


@pytest.mark.parametrize("first", BATCHES)
def test_equal_to_the_reference(target: str, first: int) -> None:
    wrong = compare.batch(range(first, first + compare.BATCH), target)
    assert not wrong, "\n\n".join(map(str, wrong[:3]))


@pytest.mark.nightly
@pytest.mark.parametrize("first", NIGHTLY)
def test_many_equal_to_the_reference(target: str, first: int) -> None:
    for start in range(first, first + NIGHTLY.step, compare.BATCH):
        wrong = compare.batch(range(start, start + compare.BATCH), target)
        assert not wrong, "\n\n".join(map(str, wrong[:3]))


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
