# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One source compiled in a process of its own, with an end to its time and its memory."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

CHILD = """
import sys, weft
try:
    weft.compile(sys.argv[1], sys.argv[2] or None, "portable", **{k: int(v) for k, v in
        (word.split("=") for word in sys.argv[3:])})
except weft.SourceError as error:
    print(len(str(error)), "SourceError", *sorted({e.code for e in error.errors}))
except weft.RunError as error:
    print(len(str(error)), "RunError", error.message)
else:
    print(0, "compiled")
"""


@dataclass(frozen=True)
class Outcome:
    """What the process said last, after how long, and with how much memory at most."""

    verdict: str
    characters: int
    seconds: float
    bytes: int


def compiled(
    source: Path, *sizes: str, kernel: str = "", seconds: int = 60, memory: int = 3 << 30
) -> Outcome:
    """Fails where the process ends in another way than an answer or an error of Weft's own."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(source), kernel, *sizes],
        capture_output=True,
        text=True,
        preexec_fn=limit,
        check=False,
    )
    assert done.returncode == 0, f"ended with {done.returncode}: {done.stderr[-2000:]}"
    assert not done.stderr, done.stderr[-2000:]
    characters, verdict = done.stdout.splitlines()[-1].split(" ", 1)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    return Outcome(verdict, int(characters), time.monotonic() - start, used)
