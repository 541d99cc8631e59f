# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Of what is timed by a thread's own clock, batches that were interrupted do not count."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from weft import module_files
from weft.tuning import timing

RACING = Path(__file__).parents[2] / "bench" / "racing.py"


@pytest.fixture(scope="module")
def racing() -> Any:
    return module_files.load(RACING)


class Clocks:
    """The wall's, and a thread's own that is told late or stands while others run."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, own: list[float]) -> None:
        self.wall = self.thread = 0.0
        self._own: Iterator[float] = iter(own)
        monkeypatch.setattr(time, "perf_counter", lambda: self.wall)
        monkeypatch.setattr(time, "thread_time", lambda: self.thread)

    def work(self, *_: Any) -> float:
        """A millisecond, of which so much as is said shows."""
        self.wall += 1e-3
        self.thread += next(self._own)
        return 1e6


def test_interrupted_batches_do_not_count(racing: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    clocks = Clocks(monkeypatch, [0.0, 0.9e-3, 0.5e-3])
    ours = racing.Contestant("ours", clocks.work, threads=1)
    seen = []
    for _ in range(3):
        ours.measure()
        seen.append(ours.best)
    assert seen == pytest.approx([1e-3, 0.9e-3, 0.9e-3])  # the wall's as long as none was whole


def test_contestants_of_the_tuner_likewise(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks = Clocks(monkeypatch, [0.0, 0.9e-3, 0.5e-3])
    ours = timing.Contestant(clocks.work, time.thread_time)
    for _ in range(3):
        ours.measure()
    assert ours.best == pytest.approx(0.9e-3)


@pytest.mark.parametrize(
    ("own", "rate"), [([0.0] * 10, 1e9), ([0.0, 0.9e-3, *[0.1e-3] * 8], 1e9 / 0.9)]
)
def test_the_peak_is_of_whole_batches(
    racing: Any, monkeypatch: pytest.MonkeyPatch, own: list[float], rate: float
) -> None:
    class Library:
        multiply_adds = Clocks(monkeypatch, own).work

    assert racing.peak(Library, "float64") == pytest.approx(rate)
