# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the threads of kernels wait for each other: soon asleep, unless the user says otherwise.

An OpenMP library lets threads spin at the end of a parallel loop. Where the cores have other work
as well, a thread that spins keeps off the core the very thread it waits for: two threads then took
up to a hundred times as long as one (docs/performance.md). Asleep, they start tens of microseconds
later, which is longer than many loops take. So they spin for about as long as that, then sleep.
"""

from __future__ import annotations

import ctypes
import os
import threading
from pathlib import Path
from typing import Any

# Whoever sets one of them decides.
VARIABLES = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME", "KMP_LIBRARY")

# Turns of libgomp's loop around `pause`: 0.1 ms here. Fewer than 1000 are as slow as none.
TURNS = "3000"

# What a parallel region calls first, by the compilers' names for it.
ENTRIES = ("__kmpc_fork_call", "GOMP_parallel")

_lock = threading.Lock()
# libgomp's functions that let a thread's helpers go, by where they are.
_pauses: dict[int | None, Any] = {}
SOFT = 1  # omp_pause_soft: what was set stays set


def loaded(path: Path) -> ctypes.CDLL:
    """The shared object of a kernel, and with the first one the OpenMP library.

    The library reads its environment while it is loaded (libgomp) or first asked (libomp). The
    environment is then as it was: processes that are started later do not inherit a choice.
    """
    with _lock:
        if any(name in os.environ for name in VARIABLES):
            return ctypes.CDLL(str(path))
        os.environ["OMP_WAIT_POLICY"] = "passive"
        os.environ["GOMP_SPINCOUNT"] = TURNS
        try:
            library = ctypes.CDLL(str(path))
            if hasattr(library, "omp_get_max_threads"):
                library.omp_get_max_threads()
            return library
        finally:
            del os.environ["OMP_WAIT_POLICY"], os.environ["GOMP_SPINCOUNT"]


def of(library: ctypes.CDLL) -> ctypes.CDLL | None:
    """Where a kernel's parallel regions find the functions of OpenMP; None of one without regions.

    What a program has loaded for all its parts (MKL brings Intel's library so) comes before what
    the kernel brings along: then only that one's number of threads counts.
    """
    if not hasattr(library, "omp_set_num_threads"):
        return None
    entry = next((name for name in ENTRIES if hasattr(library, name)), "")
    everywhere = ctypes.CDLL(None)
    of_all = all(hasattr(everywhere, name) for name in (entry, "omp_set_num_threads"))
    found = everywhere if of_all else library
    _let_go_at_forks(found)
    return found


def _let_go_at_forks(library: ctypes.CDLL) -> None:
    """The threads that help the one that forks are not there in the child, where its next region
    would wait for them for ever: libgomp makes new ones in both. LLVM's library sees to it itself.
    """
    pause = getattr(library, "omp_pause_resource_all", None)
    if pause is None or hasattr(library, "__kmpc_fork_call"):
        return
    with _lock:
        if not _pauses:
            os.register_at_fork(before=_let_go)
        _pauses.setdefault(ctypes.cast(pause, ctypes.c_void_p).value, pause)


def _let_go() -> None:
    for pause in _pauses.values():
        pause(SOFT)
