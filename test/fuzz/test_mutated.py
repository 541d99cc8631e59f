# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Spoiled sources: a diagnostic or C, never a traceback, a crash or silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz import guarded
from fuzz.mutate import mutated
from fuzz.through import attempt

SHARE = 5000


def hold(seeds: range, log: Path) -> dict[str, int]:
    verdicts, bad = guarded.run(attempt, seeds, log)
    shown = [f"seed {s}: {what}\n{mutated(s).decode('utf-8', 'replace')}" for s, what in bad[:3]]
    assert not bad, "\n".join([*shown, "reproduce: cd test && python -m fuzz.through --show SEED"])
    return verdicts


def test_mutated_sources(tmp_path: Path) -> None:
    verdicts = hold(range(3000), tmp_path / "log")
    # Of no use where all stop at the first bracket.
    assert verdicts["lowered"] + verdicts["emitted"] > 300
    assert verdicts["emitted"] > 100
    assert verdicts["refused with sizes"] > 20


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(0, 100_000, SHARE))
def test_many_mutated_sources(first: int, tmp_path: Path) -> None:
    hold(range(10_000 + first, 10_000 + first + SHARE), tmp_path / "log")


def _fault(seed: int) -> str:
    if seed == 3:
        raise ValueError("three")
    if seed == 5:
        import os

        os.abort()
    if seed == 7:
        import time

        time.sleep(60)
    return "fine"


def test_faults_are_seen(tmp_path: Path) -> None:
    """The guard itself: an exception, a crash and a hang, and what comes after each."""
    verdicts, bad = guarded.run(_fault, range(10), tmp_path / "log", seconds=1)
    assert verdicts == {"fine": 7}
    assert [seed for seed, _ in bad] == [3, 5, 7]
    assert [what.split(":")[0] for _, what in bad] == [
        "ValueError",
        "the process ended with -6",
        "no answer in 1 s",
    ]
