# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How quickly the tool answers: help, import, a cached kernel, a call, source to C. Best of some
runs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROUNDS = 8
TRANSFORM = """
kernel transform[N: size](x: c128[8, N]) -> (y: c128[8, N]):
    y = dft(x, axis=1)
"""
CACHED = f"""
import sys, time, numpy as np, weft
start = time.perf_counter()
weft.compile({TRANSFORM!r}, target="portable", N=8)(np.ones((8, 8), complex))
print(time.perf_counter() - start)
"""


IMPORT = """
import time
start = time.perf_counter()
import weft
print(time.perf_counter() - start)
"""


# Seconds of a call of 8 points, of which next to nothing is the kernel's; in turns with a plan of
# FFTW where pyFFTW is there, else with NumPy.
CALLED = """
import timeit, numpy as np, weft
try:
    import pyfftw
except ImportError:
    pyfftw = None
kernel = weft.compile("kernel k(x: c128[8]) -> (y: c128[8]):\\n    y = dft(x)\\n")
x, y = np.ones(8, complex), np.empty(8, complex)
plan = pyfftw.FFTW(x.copy(), y.copy()) if pyfftw else None
{once}
kernel(x)
peer = (lambda: plan(x, y)) if plan else (lambda: np.fft.fft(x))
best = [1.0, 1.0]
for _ in range(20):
    for i, call in enumerate((own, peer)):
        best[i] = min(best[i], timeit.timeit(call, number=5000) / 5000)
print(*best, "pyFFTW" if plan else "NumPy")
"""
CALLS = {
    "a call": "own = lambda: kernel(x)",
    "a call, out=": "own = lambda: kernel(x, out=y)",
    "a call, out= of the input": "own = lambda: kernel(x, out=x)",
    "a call, threads=1": "own = lambda: kernel(x, threads=1)",
}


def records() -> Iterator[dict[str, Any]]:
    """Seconds, with the goal for each; the peer of help is an interpreter that does nothing."""
    bare = _best(lambda: _shell([sys.executable, "-c", "pass"]))
    help_ = _best(lambda: _shell([str(Path(sys.executable).with_name("weft")), "--help"]))
    yield _record("help", help_, 0.3, peer="python -c pass", peer_value=bare)
    _shell([sys.executable, "-c", CACHED])
    yield _record("import weft", _best(lambda: _printed(IMPORT)), 0.02)
    yield _record("cached kernel after import", _best(lambda: _printed(CACHED)), 0.05)
    for case, once in CALLS.items():
        own, peer, name = _words(CALLED.format(once=once))
        yield _record(case, float(own), 1e-6, peer=name, peer_value=float(peer))
    for length, goal in ((1024, 0.5), (4096, 1.0)):
        yield _record(f"{length} points, source to C", _best(lambda n=length: _to_c(n)), goal)


def _record(case: str, value: float, goal: float, **peer: Any) -> dict[str, Any]:
    ratio = value / peer["peer_value"] if peer else None
    common = {"suite": "tool", "case": case, "metric": "time", "value": value, "unit": "s"}
    return {**common, **peer, "ratio": ratio, "goal": goal, "met": value <= goal}


def _best(seconds: Callable[[], float]) -> float:
    return min(seconds() for _ in range(ROUNDS))


def _shell(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=_environment())
    return time.perf_counter() - start


def _environment() -> dict[str, str]:
    """A user's: Python keeps what it has compiled of its sources."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _printed(code: str) -> float:
    """The seconds that a fresh interpreter measures itself."""
    return float(_words(code)[0])


def _words(code: str) -> list[str]:
    """What a fresh interpreter prints."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env=_environment(),
    )
    return done.stdout.split()


def _to_c(length: int) -> float:
    """Stages 1 to 5, from text to C; the C compiler is not counted."""
    from weft import frontend, machine, pipeline
    from weft.artifacts import Dump
    from weft.native import _compiler
    from weft.requests import Request

    target = machine.load("avx512")
    start = time.perf_counter()
    request = Request(TRANSFORM, "transform.weft", None, (("N", length),))
    modules = frontend.instantiate([request.job()], Dump(None))
    module = _compiler.Module(frontend.lower(modules, target.attribute(), TRANSFORM))
    module.run(pipeline.flags(target.name))
    module.emit("weft bench tool")
    return time.perf_counter() - start
