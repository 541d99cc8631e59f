# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels through the cache: many processes at once, and processes killed at any moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import numpy as np
import pytest

import weft
from weft import cache_folder

# Takes kernels by number: the same source, another factor, hence another entry.
WORKER = """
import sys
import numpy as np
import weft
print("ready", flush=True)
for number in map(int, sys.argv[1:]):
    source = f"kernel scaled(x: f64[8]) -> (y: f64[8]):\\n    y = x * {number}\\n"
    y = weft.compile(source, target="portable")(np.arange(8.0))
    assert np.array_equal(y, np.arange(8.0) * number), (number, y)
print("done", flush=True)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WEFT_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def spawn(numbers: list[int]) -> subprocess.Popen[str]:
    # A session of its own: a kill takes the C compiler along, as a lost terminal does.
    return subprocess.Popen(
        [sys.executable, "-c", WORKER, *map(str, numbers)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finish(processes: list[subprocess.Popen[str]]) -> None:
    for process in processes:
        out, told = process.communicate(timeout=600)
        assert (process.returncode, out, told) == (0, "ready\ndone\n", "")


def kernels() -> list[str]:
    """What the whole entries of the cache were built for."""
    return [
        item.notes["kernels"][0]["name"] for item in cache_folder.items() if item.kind == "kernel"
    ]


def at_once(processes: int, same: int, different: int) -> None:
    """All want the same kernels, in other orders, and some that nobody else wants."""
    random = Random(1)
    started = []
    for process in range(processes):
        numbers = [*range(same), *(1000 + different * process + n for n in range(different))]
        random.shuffle(numbers)
        started.append(spawn(numbers))
    finish(started)
    assert len(kernels()) == same + processes * different


def killed(rounds: int, numbers: range, seconds: float) -> None:
    """Processes that build the same kernels; one after the other is killed, wherever it is."""
    random = Random(2)
    hit = missed = 0
    while hit < rounds:
        cache_folder.clear()
        crowd = [spawn(random.sample(numbers, len(numbers))) for _ in range(3)]
        victim = crowd.pop()
        assert victim.stdout is not None
        assert victim.stdout.readline() == "ready\n"
        time.sleep(random.uniform(0, seconds))
        os.killpg(victim.pid, signal.SIGKILL)
        if victim.wait() == -signal.SIGKILL:
            hit += 1
        else:
            # This machine builds faster than that.
            missed += 1
            seconds /= 2
        victim.communicate()
        finish(crowd)
        # Those that lived have built what the dead one had begun, once.
        assert len(kernels()) == len(numbers)
        for number in numbers:
            text = f"kernel scaled(x: f64[8]) -> (y: f64[8]):\n    y = x * {number}\n"
            y = weft.compile(text, target="portable")(np.ones(8))
            assert np.array_equal(y, np.full(8, number))
        assert missed <= 10, "they are done before they can be killed"
    for work in cache_folder.folder().glob(".work-*"):
        os.utime(work, (1, 1))
    cache_folder._clear_abandoned(cache_folder.folder())
    assert not list(cache_folder.folder().glob(".work-*"))


def test_processes_build_kernels_at_once(folder: Path) -> None:
    at_once(processes=6, same=2, different=1)


def test_builders_killed_at_any_moment(folder: Path) -> None:
    killed(rounds=3, numbers=range(2, 4), seconds=1.0)


@pytest.mark.nightly
def test_sixty_four_processes_build_kernels_at_once(folder: Path) -> None:
    at_once(processes=64, same=8, different=2)


@pytest.mark.nightly
def test_many_builders_killed_at_any_moment(folder: Path) -> None:
    killed(rounds=60, numbers=range(2, 6), seconds=2.0)


@pytest.mark.nightly
def test_sixty_four_processes_in_a_small_cache(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEFT_CACHE_SIZE", "1M")
    finish([spawn(list(range(8))) for _ in range(64)])
    assert sum(item.bytes for item in cache_folder.items()) <= 2 << 20
