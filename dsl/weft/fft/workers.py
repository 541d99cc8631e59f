# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many threads transforms have where the call does not say: of a thread, as SciPy has it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from weft.fft.plans import threads_of
from weft.fft.refusals import WrongType

_here = threading.local()


@contextmanager
def set_workers(workers: int) -> Iterator[None]:
    """Within it, transforms of the calling thread have so many where `workers=` is not given.

    Args:
        workers: As in `fft`: from 1 on, or counted from all of this machine's, which are -1.

    Raises:
        RunError: It is no such number.
    """
    if workers is None:
        raise WrongType(
            "workers is a whole number",
            argument="workers",
            found="None",
            help="without set_workers a transform has as many threads as any kernel",
        )
    before = workers_set()
    _here.workers = threads_of(workers)
    try:
        yield
    finally:
        _here.workers = before


def get_workers() -> int:
    """How many threads a transform has here: as `set_workers` says, else as any kernel."""
    found = workers_set()
    if found is not None:
        return found
    # As OpenMP libraries count: of nested regions, the first number is that of the outermost.
    asked = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    return int(asked) if asked.isdecimal() and int(asked) else len(os.sched_getaffinity(0))


def workers_set() -> int | None:
    """What `set_workers` says in this thread; None where it says nothing."""
    found: int | None = getattr(_here, "workers", None)
    return found
