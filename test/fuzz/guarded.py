# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A range of seeds in a process of its own, because a fault in C++ ends the process that has it.

The worker says each seed before it tries it. Where it dies or stays silent too long, that seed is
reported, and another worker goes on behind it.
"""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import resource
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

ADDRESS_SPACE = 6 << 30  # beyond what the process has mapped when it begins
Try = Callable[[int], str]


def _work(attempt: Try, seeds: range, pipe: Connection, log: Path) -> None:
    if "libasan" not in os.environ.get("LD_PRELOAD", ""):  # which maps all there is
        mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (mapped + ADDRESS_SPACE,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with log.open("wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    faulthandler.enable(2)
    for seed in seeds:
        pipe.send((seed, None))
        try:
            pipe.send((seed, attempt(seed)))
        except BaseException as error:
            pipe.send((seed, f"BAD {type(error).__name__}: {error}"))
    pipe.close()


def run(
    attempt: Try, seeds: range, log: Path, seconds: float = 60, said: bool = False
) -> tuple[dict[str, int], list[tuple[int, str]]]:
    """How often each verdict came, and the seeds that did not end in one, with what happened.

    `attempt` gives a verdict, or raises what is to be reported.
    """
    verdicts: dict[str, int] = {}
    bad: list[tuple[int, str]] = []
    context = multiprocessing.get_context("fork")
    left = seeds
    while left:
        mine, theirs = context.Pipe(duplex=False)
        worker = context.Process(target=_work, args=(attempt, left, theirs, log))
        worker.start()
        theirs.close()
        at, told = left[0], False
        try:
            while True:
                if not mine.poll(seconds):
                    worker.kill()
                    bad.append((at, f"no answer in {seconds:g} s"))
                    break
                at, verdict = mine.recv()
                told = verdict is not None
                if verdict is None:
                    continue
                if verdict.startswith("BAD "):
                    bad.append((at, verdict[4:]))
                    if said:
                        print(f"seed {at}: {verdict[4:500]}", file=sys.stderr, flush=True)
                else:
                    verdicts[verdict] = verdicts.get(verdict, 0) + 1
                if said and at % 1000 == 0:
                    print(f"{at}: {verdicts}, {len(bad)} bad", file=sys.stderr, flush=True)
        except EOFError:
            worker.join()
            if not told:
                end = log.read_text("utf-8", "replace")[-1000:]
                bad.append((at, f"the process ended with {worker.exitcode}: {end}"))
        worker.join()
        if said and bad and bad[-1][0] == at:
            print(f"seed {at}: {bad[-1][1][:500]}", file=sys.stderr, flush=True)
        left = range(at + 1, seeds.stop)
    return verdicts, bad
