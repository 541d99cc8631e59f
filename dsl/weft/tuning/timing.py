# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code in turns on this machine, called from C; of each the least time of many.

One thread counts its own processor time: what else the machine does interrupts it, and is not the
code's. With more threads it is the wall clock. On machines that are shared a thread's own time may
be told late, and a short batch seem to take nothing: one that was interrupted does not count.
"""

from __future__ import annotations

import ctypes
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from weft import toolchain
from weft.machine import Machine

BATCH_SECONDS = 5e-4  # of calls between two looks at the clock
ROUNDS = 5
MULTIPLY_ADDS = 20_000  # rounds of one look at the clock

# Called from Python, a short kernel would cost less than its call.
REPEAT = """\
void repeat(long times, int (*f)({types}), void **a);
void repeat(long times, int (*f)({types}), void **a) {{
  for (long n = 0; n < times; ++n)
    f({arguments});
}}
"""
# As many multiply-adds under way as hide their latency, on full vectors.
PEAK = """\
typedef double vector __attribute__((vector_size({bytes})));
double multiply_adds(long times);
double multiply_adds(long times) {{
  vector sums[{chains}];
  for (int k = 0; k < {chains}; ++k)
    sums[k] = (vector){{0}} + k;
  for (long n = 0; n < times; ++n) {{
{body}  }}
  for (int k = 1; k < {chains}; ++k)
    sums[0] += sums[k];
  return sums[0][0];
}}
"""
CHAINS = 12


# Of the wall clock's time, what a thread that was not interrupted has as its own, at least; a batch
# that takes longer than that is more than a clock can be late.
OWN_SHARE = 0.8
LONG_SECONDS = 0.02


def is_whole(seconds: float, wall_seconds: float) -> bool:
    """Whether a thread's own time of a batch can be believed."""
    return seconds >= OWN_SHARE * wall_seconds or seconds > LONG_SECONDS


class Contestant:
    """Code that is called; `best` is the least time of one call seen, in seconds.

    Of batches of which none was whole, the wall clock's.
    """

    def __init__(self, run: Callable[[int], Any], clock: Callable[[], float]) -> None:
        self._least = self._least_by_wall = float("inf")
        self._times = 1
        self._run = run
        self._clock = clock

    @property
    def best(self) -> float:
        return self._least if self._least < float("inf") else self._least_by_wall

    def measure(self) -> float:
        """One batch of calls; the seconds that they took."""
        wall, start = time.perf_counter(), self._clock()
        self._run(self._times)
        seconds = self._clock() - start
        wall = time.perf_counter() - wall
        self._least_by_wall = min(self._least_by_wall, wall / self._times)
        if is_whole(seconds, wall):
            self._least = min(self._least, seconds / self._times)
        return seconds

    def warm_up(self) -> None:
        """The first call loads code and tables; then batches grow until a clock can time them."""
        self._run(1)
        while self.measure() < BATCH_SECONDS and self._times < 1 << 24:
            self._times *= 2


class Known(Contestant):
    """A time that is the same every time: an emulated machine's own."""

    def __init__(self, seconds: float) -> None:
        super().__init__(lambda _: None, time.perf_counter)
        self._least = seconds

    def measure(self) -> float:
        return 1.0  # one look is enough

    def warm_up(self) -> None:
        pass


def race(contestants: Sequence[Contestant], seconds: float, rounds: int = ROUNDS) -> None:
    """In turns: what disturbs one disturbs all. Each gets that many seconds at the least."""
    for contestant in contestants:
        contestant.warm_up()
    done, spent = 0, 0.0
    while done < rounds or spent < seconds:
        done += 1
        spent += max(min(contestant.measure() for contestant in contestants), 1e-6)


def clock(threads: int) -> Callable[[], float]:
    return time.thread_time if threads == 1 else time.perf_counter


class Harness:
    """A little C, compiled for the target at hand."""

    def __init__(self, machine: Machine, arities: Sequence[int]) -> None:
        self._library = _compiled(machine, _peak(machine.values["vector_bytes"]))
        self._library.multiply_adds.restype = ctypes.c_double
        self._repeat = {n: _compiled(machine, _repeating(n)).repeat for n in sorted(set(arities))}

    def calls(self, function: Any, pointers: Sequence[int | None]) -> Callable[[int], Any]:
        """Calls a kernel's function so many times; the memory is the caller's to keep."""
        repeat = self._repeat[len(pointers)]
        addresses = (ctypes.c_void_p * len(pointers))(*pointers)

        def run(times: int) -> None:
            repeat(ctypes.c_long(times), function, addresses)

        return run

    def multiply_adds(self) -> Contestant:
        """Runs CHAINS * MULTIPLY_ADDS fused multiply-adds of a vector a call."""

        def run(times: int) -> None:
            self._library.multiply_adds(ctypes.c_long(times * MULTIPLY_ADDS))

        return Contestant(run, clock(1))


def _repeating(arity: int) -> str:
    arguments = ", ".join(f"a[{n}]" for n in range(arity))
    return REPEAT.format(types=", ".join(["void *"] * arity), arguments=arguments)


def _peak(vector_bytes: int) -> str:
    body = "".join(f"    sums[{k}] = sums[{k}] * 0.5 + 1.0;\n" for k in range(CHAINS))
    return PEAK.format(bytes=vector_bytes, chains=CHAINS, body=body)


def _compiled(machine: Machine, text: str) -> ctypes.CDLL:
    with tempfile.TemporaryDirectory(prefix="weft-tune-") as folder:
        source = Path(folder, "harness.c")
        source.write_text(text, encoding="utf-8")
        toolchain.compile_c(toolchain.find_compiler(), machine, source, openmp=False)
        return ctypes.CDLL(str(source.with_suffix(".so")))
