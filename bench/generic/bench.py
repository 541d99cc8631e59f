# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels without transforms on one thread: Weft beside the obvious C loops, the best of many runs.

All run on the same arrays, in turns, called from C (repeat in loops.c), at sizes that stay in a
core's caches and at sizes that do not, at powers of two and at primes. The peer of the avx512
target is loops.c under gcc -O3 -march=native, that of the portable one loops.c under gcc -O3; with
-ffast-math, which may change results and so has no goal, both are shown as well, and for
transposes memcpy of the same bytes. A result that differs from the peer's has no rate.
WEFT_BENCH_CASES="softmax chain" measures these only, WEFT_BENCH_TARGET=portable this target only.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from weft import driver, module_files, toolchain
from weft.call import empty_outputs
from weft.diagnostics import RunError
from weft.machine import load

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "generic.weft"
# Weft's rate over the peer's: within a factor of two of C.
GOAL = 0.5
SECONDS = 0.15  # of each contestant and case, at least three batches
MOST_ARGUMENTS = 8
# The first has the goal; its results are compared.
PEERS: dict[str, list[list[str]]] = {
    "avx512": [["-O3", "-march=native"], ["-O3", "-march=native", "-ffast-math"]],
    "portable": [["-O3"], ["-O3", "-ffast-math"]],
}

racing = module_files.load(HERE.parent / "racing.py")


@dataclass(frozen=True)
class Case:
    """A kernel at sizes, in the order in which the C function takes them."""

    kernel: str
    sizes: dict[str, int]

    @property
    def name(self) -> str:
        return f"{self.kernel} {'x'.join(map(str, self.sizes.values()))}"


def _square(kernel: str, *sizes: int) -> list[Case]:
    return [Case(kernel, {"n": n}) for n in sizes]


def _rows(kernel: str, *sizes: tuple[int, int, int]) -> list[Case]:
    return [Case(kernel, {"n": n, "m": m, "k": k}) for n, m, k in sizes]


def _matrix(kernel: str, *sizes: tuple[int, int]) -> list[Case]:
    return [Case(kernel, {"n": n, "m": m}) for n, m in sizes]


SMALL, PRIME, LARGE = (100, 128), (101, 127), (2048, 2048)
CASES: list[Case] = [
    *_matrix("stencil5", SMALL, PRIME, (1009, 1013), LARGE),
    *_matrix("ring5", SMALL, PRIME, (1009, 1013), LARGE),
    *_matrix("wall5", SMALL, PRIME, (1009, 1013), LARGE),
    *_square("stencil7", 32, 131, 256),
    *_matrix("softmax", (31, 10), (32, 200), (1009, 1013), (4096, 2000)),
    *_matrix("layer_norm", (31, 10), (32, 200), (1009, 1013), (4096, 2000)),
    *_matrix("row_sum_f32", SMALL, PRIME, (3000, 7), LARGE),
    *_matrix("row_sum_f64", SMALL, PRIME, (3000, 7), LARGE),
    *_matrix("row_sum_c128", SMALL, (2048, 1024)),
    *_matrix("row_max_f32", SMALL, PRIME, LARGE),
    *_matrix("row_prod_f64", SMALL, PRIME, LARGE),
    *_matrix("column_sum_f32", SMALL, PRIME, (3000, 7), LARGE),
    *_matrix("column_sum_f64", SMALL, PRIME, (3000, 7), LARGE),
    *_matrix("column_sum_c128", SMALL, (2048, 1024)),
    *_matrix("column_min_f64", SMALL, PRIME, LARGE),
    *_matrix("total_f64", SMALL, LARGE),
    *_square("dot_f32", 1000, 1 << 22),
    *_matrix("transpose_f32", (8, 8), SMALL, PRIME, (1009, 1013), LARGE),
    *_matrix("transpose_f64", (8, 8), SMALL, PRIME, (1009, 1013), LARGE),
    *_matrix("transpose_c128", SMALL, PRIME, (1009, 1013), LARGE),
    *_square("chain", 1000, 1009, 1 << 21),
    *_square("complex_chain", 1000, 1 << 20),
    *_square("waves", 1000, 1 << 20),
    *_square("every_second", 1000, 1 << 21),
    *_matrix("rolled", SMALL, PRIME, (2003, 1999)),
    *_matrix("gathered", (1000, 4000), (1 << 20, 1 << 20)),
    *_rows("gathered_rows", (100, 300, 64), (101, 307, 5), (1 << 14, 1 << 14, 300)),
    *_matrix("histogram", (256, 4000), (1 << 20, 1 << 20)),
    *_rows("scattered_rows", (100, 300, 64), (101, 307, 5), (1 << 14, 1 << 14, 300)),
    *_square("product_f32", 8, 64, 127, 512, 1000),
    *_square("product_f64", 8, 64, 127, 512, 1000),
    *_square("product_c64", 8, 64, 127, 512),
    *_matrix("matvec_f64", SMALL, PRIME, LARGE),
    # Few rows, columns, or terms: parts of vectors.
    *_matrix("row_sum_f32", (10000, 24)),
    *_rows("rows_product_f32", (4, 4000, 1000), (8, 1000, 100), (10000, 3, 32), (32768, 8, 8)),
    *_matrix("gram_f32", (20000, 4), (2000, 12)),
    *_matrix("window_max_f32", (64, 14), (64, 56)),
    *_matrix("plane_sum_f32", (64, 28), (64, 7)),
]


def contestant_of(name: str, library: Any, function: Any, arguments: Sequence[int | None]) -> Any:
    """A C function and its arguments, called as often as asked from C."""
    padded = [*arguments, *[None] * (MOST_ARGUMENTS - len(arguments))]
    pointers = [ctypes.c_void_p(argument) for argument in padded]

    def run(times: int) -> None:
        library.repeat(ctypes.c_long(times), function, *pointers)

    return racing.Contestant(name, run, threads=1)


def records() -> Iterator[dict[str, Any]]:
    """One record a case, target and peer."""
    asked = os.environ.get("WEFT_BENCH_TARGET")
    targets = [asked] if asked else [t for t in PEERS if toolchain.cpu_supports(load(t))]
    only = os.environ.get("WEFT_BENCH_CASES", "").split()
    with tempfile.TemporaryDirectory(prefix="weft-bench-") as folder:
        libraries = {
            " ".join(flags): _compiled(Path(folder), flags)
            for target in targets
            for flags in PEERS[target]
        }
        for case in CASES:
            if not only or case.kernel in only:
                yield from _records(case, targets, libraries)


def _records(
    case: Case, targets: list[str], libraries: dict[str, ctypes.CDLL]
) -> Iterator[dict[str, Any]]:
    requests = [(SOURCE, case.kernel, case.sizes)]
    callees = {t: driver.compile_many(requests, t)[0]._compiled() for t in targets}
    callee = callees[targets[0]]
    inputs = [_numbers(case, p.name, p.shape, p.dtype) for p in callee.inputs]
    # As calls without out= have them; one for all, since where memory lies decides as well.
    outputs = empty_outputs(callee.outputs)
    data = [array.ctypes.data for array in (*inputs, *outputs)]

    ours, peers, memories = {}, {}, []
    for target, compiled in callees.items():
        native, name = compiled.loaded(), compiled.report["c_name"]
        memories.append(np.empty(getattr(native, name + "_scratch_bytes")() + 64, np.uint8))
        scratch = memories[-1].ctypes.data
        library = next(iter(libraries.values()))
        arguments = [*data, scratch + -scratch % 64]
        ours[target] = contestant_of(target, library, getattr(native, name), arguments)
    for flags, library in libraries.items():
        function = getattr(library, case.kernel)
        peers[flags] = contestant_of(flags, library, function, [*case.sizes.values(), *data])
    if case.kernel.startswith("transpose"):
        ends = [inputs[0].nbytes, *data]
        peers["memcpy"] = contestant_of("memcpy", library, library.copy, ends)
    with callee.held(1):
        for flags in reversed(peers):  # so that one without -ffast-math writes last
            peers[flags].warm_up()
        wanted = [array.copy() for array in outputs]
        for target, contestant in ours.items():
            contestant.warm_up()
            _compare(case, target, outputs, wanted, inputs[0].size)
        race([*ours.values(), *peers.values()])
    moved = sum(array.nbytes for array in (*inputs, *outputs))
    for target in targets:
        first, *others = [" ".join(flags) for flags in PEERS[target]]
        yield _record(case, moved, ours[target], peers[first], GOAL)
        for flags in [*others, *(["memcpy"] if "memcpy" in peers else [])]:
            yield _record(case, moved, ours[target], peers[flags], None)


def race(contestants: list[Any]) -> None:
    """In turns, until each had its time: what disturbs one disturbs all."""
    rounds, spent = 0, [0.0] * len(contestants)
    while rounds < 3 or max(spent) < SECONDS:
        rounds += 1
        for number, contestant in enumerate(contestants):
            spent[number] += contestant.measure()


def _compare(
    case: Case, target: str, outputs: list[np.ndarray], wanted: list[np.ndarray], size: int
) -> None:
    for got, expected in zip(outputs, wanted, strict=True):
        tolerance = 1e-4 if got.dtype in (np.float32, np.complex64) else 1e-12
        # C adds one after the other: in long sums its own error grows.
        tolerance *= max(1.0, (size / got.size) ** 0.5)
        if not np.allclose(got, expected, rtol=tolerance, atol=tolerance):
            raise RunError(f"generic {case.name} on {target}: the result is not that of the loops")
        got[...] = 0


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


def _record(case: Case, moved: int, ours: Any, peer: Any, goal: float | None) -> dict[str, Any]:
    ratio = peer.best / ours.best
    return {
        "suite": "generic",
        "case": case.name,
        "metric": f"bytes of arguments over time, {ours.name}, 1 thread",
        "value": moved / ours.best * 1e-9,
        "unit": "GB/s",
        "peer": peer.name if peer.name == "memcpy" else f"loops in C, {peer.name}",
        "peer_value": moved / peer.best * 1e-9,
        "ratio": ratio,
        "goal": goal,
        "met": None if goal is None else ratio >= goal,
    }


def _compiled(folder: Path, flags: list[str]) -> ctypes.CDLL:
    compiler = toolchain.find_compiler()
    library = folder / f"loops{''.join(flags)}.so"
    command = [compiler.path, *flags, "-std=c11", "-shared", "-fPIC", str(HERE / "loops.c")]
    subprocess.run([*command, "-o", str(library), "-lm"], check=True)
    return ctypes.CDLL(str(library))
