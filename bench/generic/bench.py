# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels without transforms on one thread: Weft beside the obvious C loops, the best of many runs.

Both run on the same arrays, in turns, called from C (repeat in loops.c), at sizes that stay in a
core's caches and at sizes that do not. The peer is loops.c under gcc -O3 -march=native; for
transposes memcpy of the same bytes is a second peer. A result that differs from the peer's has no
rate. WEFT_BENCH_CASES="softmax chain" measures these only,
WEFT_BENCH_TARGET=portable measures that target instead of the machine's best.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from weft import driver, toolchain
from weft.call import empty_outputs
from weft.diagnostics import RunError

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "generic.weft"
# Weft's rate over the peer's: within a factor of two of C, and most of memcpy for a transpose.
GOAL = 0.5
GOAL_COPY = 0.6
SECONDS = 0.3  # of each contestant and case, at least three batches
BATCH_SECONDS = 2e-4
MOST_ARGUMENTS = 8


@dataclass(frozen=True)
class Case:
    """A kernel at sizes, in the order in which the C function takes them."""

    kernel: str
    sizes: dict[str, int]
    peer_sizes: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.kernel} {'x'.join(map(str, self.sizes.values()))}"


def _square(kernel: str, *sizes: int) -> list[Case]:
    return [Case(kernel, {"n": n}) for n in sizes]


def _matrix(kernel: str, *sizes: tuple[int, int]) -> list[Case]:
    return [Case(kernel, {"n": n, "m": m}) for n, m in sizes]


SMALL, LARGE = (100, 128), (2048, 2048)
CASES: list[Case] = [
    *_matrix("stencil5", (100, 128), (1000, 1000), LARGE),
    *_square("stencil7", 32, 130, 256),
    *_matrix("softmax", (32, 200), (1024, 1024), (4096, 2000)),
    *_matrix("layer_norm", (32, 200), (1024, 1024), (4096, 2000)),
    *_matrix("row_sum_f32", SMALL, LARGE),
    *_matrix("row_sum_f64", SMALL, LARGE),
    *_matrix("row_sum_c128", SMALL, (2048, 1024)),
    *_matrix("row_max_f32", SMALL, LARGE),
    *_matrix("row_prod_f64", SMALL, LARGE),
    *_matrix("column_sum_f32", SMALL, LARGE),
    *_matrix("column_sum_f64", SMALL, LARGE),
    *_matrix("column_sum_c128", SMALL, (2048, 1024)),
    *_matrix("column_min_f64", SMALL, LARGE),
    *_matrix("total_f64", SMALL, LARGE),
    *_square("dot_f32", 1000, 1 << 22),
    *_matrix("transpose_f32", SMALL, (1000, 1000), LARGE),
    *_matrix("transpose_f64", SMALL, (1000, 1000), LARGE),
    *_matrix("transpose_c128", SMALL, (1000, 1000), LARGE),
    *_square("chain", 1000, 1 << 21),
    *_square("complex_chain", 1000, 1 << 20),
    *_square("every_second", 1000, 1 << 21),
    *_matrix("rolled", SMALL, (2000, 2000)),
    *_matrix("gathered", (1000, 4000), (1 << 20, 1 << 20)),
    *[
        Case("gathered_rows", {"n": n, "m": m, "k": k})
        for n, m, k in ((100, 300, 64), (1 << 14, 1 << 14, 300))
    ],
    *_matrix("histogram", (256, 4000), (1 << 20, 1 << 20)),
    *[
        Case("scattered_rows", {"n": n, "m": m, "k": k})
        for n, m, k in ((100, 300, 64), (1 << 14, 1 << 14, 300))
    ],
    *_square("product", 64, 512),
]


class Contestant:
    """A C function and its arguments; `best` is the least time of a call seen, in seconds."""

    def __init__(
        self, name: str, repeat: Any, function: Any, arguments: Sequence[int | None]
    ) -> None:
        self.name = name
        self.best = float("inf")
        self.times = 1
        padded = [*arguments, *[None] * (MOST_ARGUMENTS - len(arguments))]
        pointers = [ctypes.c_void_p(argument) for argument in padded]
        self._run = lambda: repeat(ctypes.c_long(self.times), function, *pointers)

    def measure(self) -> float:
        start = time.perf_counter()
        self._run()
        seconds = time.perf_counter() - start
        self.best = min(self.best, seconds / self.times)
        return seconds

    def warm_up(self) -> None:
        """Repeats so often that what a call from Python costs is lost in it."""
        self.measure()
        while self.measure() < BATCH_SECONDS:
            self.times *= 2


def records() -> Iterator[dict[str, Any]]:
    """One record a case and peer."""
    target = os.environ.get("WEFT_BENCH_TARGET") or toolchain.default_target()
    only = os.environ.get("WEFT_BENCH_CASES", "").split()
    with tempfile.TemporaryDirectory(prefix="weft-bench-") as folder:
        library = _compiled(Path(folder))
        for case in CASES:
            if only and case.kernel not in only:
                continue
            yield from _records(case, target, library)


def _records(case: Case, target: str, library: ctypes.CDLL) -> Iterator[dict[str, Any]]:
    (kernel,) = driver.compile_many([(SOURCE, case.kernel, case.sizes)], target)
    callee = kernel._compiled()
    inputs = [_numbers(case, p.name, p.shape, p.dtype) for p in callee.inputs]
    # As calls without out= have them, and for the peers the same.
    outputs, wanted = empty_outputs(callee.outputs), empty_outputs(callee.outputs)
    theirs = [*case.sizes.values(), *[array.ctypes.data for array in (*inputs, *wanted)]]
    native = callee._load()
    size = getattr(native, callee.report["c_name"] + "_scratch_bytes")()
    scratch = np.empty(size + 64, np.uint8)
    mine = [array.ctypes.data for array in (*inputs, *outputs)]
    mine.append(scratch.ctypes.data + -scratch.ctypes.data % 64)

    repeat = library.repeat
    ours = Contestant("weft", repeat, getattr(native, callee.report["c_name"]), mine)
    loops = getattr(library, case.kernel)
    peers = [Contestant("loops in C, gcc -O3 -march=native", repeat, loops, theirs)]
    if case.kernel.startswith("transpose"):
        (spare,) = empty_outputs(callee.outputs)
        ends = [inputs[0].nbytes, inputs[0].ctypes.data, spare.ctypes.data]
        peers.append(Contestant("memcpy", repeat, library.copy, ends))
    for contestant in (ours, *peers):
        contestant.warm_up()
    for got, expected in zip(outputs, wanted, strict=True):
        tolerance = 1e-4 if got.dtype == np.float32 else 1e-12
        # C adds one after the other: in long sums its own error grows.
        tolerance *= max(1.0, (inputs[0].size / got.size) ** 0.5)
        if not np.allclose(got, expected, rtol=tolerance, atol=tolerance):
            raise RunError(f"generic {case.name}: the result is not that of the C loops")
    spent = [0.0] * (1 + len(peers))
    rounds = 0
    with callee._threads(native, 1):
        while rounds < 3 or max(spent) < SECONDS:
            rounds += 1
            for number, contestant in enumerate((ours, *peers)):
                spent[number] += contestant.measure()
    moved = sum(array.nbytes for array in (*inputs, *outputs))
    for peer in peers:
        goal = GOAL_COPY if peer.name == "memcpy" else GOAL
        yield _record(case, target, moved, ours, peer, goal)


def _numbers(case: Case, name: str, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    random = np.random.default_rng(7)
    dtype = np.dtype(dtype)
    if name == "idx":
        return random.integers(0, case.sizes["n"], shape).astype(dtype)
    values: np.ndarray = random.uniform(-1, 1, shape).astype(dtype)
    if dtype.kind == "c":
        values += 1j * random.uniform(-1, 1, shape)
    # A product of many must neither vanish nor explode.
    return 1 + values / 1000 if "prod_" in case.kernel else values


def _record(
    case: Case, target: str, moved: int, ours: Contestant, peer: Contestant, goal: float | None
) -> dict[str, Any]:
    ratio = peer.best / ours.best
    return {
        "suite": "generic",
        "case": case.name,
        "metric": f"bytes of arguments over time, {target}, 1 thread",
        "value": moved / ours.best * 1e-9,
        "unit": "GB/s",
        "peer": peer.name,
        "peer_value": moved / peer.best * 1e-9,
        "ratio": ratio,
        "goal": goal,
        "met": None if goal is None else ratio >= goal,
    }


def _compiled(folder: Path) -> ctypes.CDLL:
    compiler = toolchain.find_compiler()
    library = folder / "loops.so"
    flags = ["-O3", "-march=native", "-std=c11", "-shared", "-fPIC"]
    command = [compiler.path, *flags, str(HERE / "loops.c"), "-o", str(library), "-lm"]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(library))
