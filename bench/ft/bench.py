# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NPB FT on one thread: Weft beside serial peers, interleaved, the best of several runs each.

Timed for all: the forward transform and the iterations; neither making the field nor set-up.

The peer is stockham.c, the benchmark's radix-2 Stockham FFT in plain C -O3, line by line as in the
serial C++ version and, for information, in blocks of 32 lines as in the Fortran one; and, where
SciPy is installed, the same in NumPy with scipy.fft (pocketfft, one worker). Where the
environment variable WEFT_NPB_CPP names a folder with NPB-CPP's own ft.S, ft.W, ft.A (or one such
file), that takes the goal. Its time includes making the field, 5-10 %.

FT rebuilt on the 3-D transforms of every FFT library of `weft bench fft` (MKL, FFTW and what
WEFT_BENCH_FFT names) has a goal of its own, against the best of them.

WEFT_BENCH_CASES="A B" measures those cases (B takes minutes), WEFT_BENCH_PEERS="FT on" only the
peers whose names begin so.
"""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from weft import driver, module_files, toolchain
from weft.diagnostics import RunError
from weft.hosting import Case

HERE = Path(__file__).resolve().parent
EXAMPLE = HERE.parent.parent / "examples" / "ft"
CASES = ("S", "W", "A")
# Weft's rate over the serial peer's, on one thread, and over the best library's.
GOAL = {"A": 2.5}
LIBRARY_GOAL = {"A": 2.3, "B": 2.3}
ROUNDS = {"S": 15, "W": 9, "A": 4, "B": 2}
BLOCKS = {1: "radix-2 Stockham in C -O3", 32: "radix-2 Stockham in C -O3, 32 lines at a time"}


libraries = module_files.load(HERE / "libraries.py")

# One thread's own time: on a machine that does other things, too, it is interrupted.
clock = time.thread_time


class Contestant:
    """`run` gives the rate in Mop/s of one run, having verified its checksums."""

    def __init__(self, name: str, run: Callable[[], float], best: float = 0.0) -> None:
        self.name = name
        self.run = run
        self.best = best


def records() -> Iterator[dict[str, Any]]:
    """One record a case and peer; the goal is against the first peer of a case."""
    host = module_files.load(EXAMPLE / "host.py")
    target = toolchain.default_target()
    with tempfile.TemporaryDirectory(prefix="weft-bench-") as folder:
        stockham = {block: _compiled(block, Path(folder)) for block in BLOCKS}
        driver_of_libraries = libraries.compiled(Path(folder))
        for name in os.environ.get("WEFT_BENCH_CASES", " ".join(CASES)).split():
            case = Case(name, host._known_sizes(host.EXPECTED["cases"][name]))
            ours = _weft(host, case, target)
            serial = [*_npb_cpp(name)]
            serial += [_stockham(host, case, stockham[b], label) for b, label in BLOCKS.items()]
            serial += _scipy(host, case)
            rebuilt = [*_rebuilt(host, case, driver_of_libraries)]
            only = os.environ.get("WEFT_BENCH_PEERS", "")
            serial, rebuilt = (
                [peer for peer in group if peer.name.startswith(only)]
                for group in (serial, rebuilt)
            )
            for _ in range(ROUNDS[name]):
                for contestant in (ours, *serial, *rebuilt):
                    contestant.best = max(contestant.best, contestant.run())
            rebuilt.sort(key=lambda peer: -peer.best)
            for group, goals in ((serial, GOAL), (rebuilt, LIBRARY_GOAL)):
                for number, peer in enumerate(group):
                    goal = goals.get(name) if number == 0 and target == "avx512" else None
                    yield _record(name, target, ours, peer, goal)


def _record(
    case: str, target: str, ours: Contestant, peer: Contestant, goal: float | None
) -> dict[str, Any]:
    ratio = ours.best / peer.best
    return {
        "suite": "ft",
        "case": case,
        "metric": f"forward transform and iterations, {target}, 1 thread",
        "value": ours.best,
        "unit": "Mop/s",
        "peer": peer.name,
        "peer_value": peer.best,
        "ratio": ratio,
        "goal": goal,
        "met": None if goal is None else ratio >= goal,
    }


def _rated(host: Any, case: Case, who: str, sums: np.ndarray, seconds: float) -> float:
    """Mop/s; a wrong result has no rate."""
    verdict = host.check(case, {"sums": sums})
    if not verdict.holds:
        raise RunError(f"ft {case}: {who}: {verdict.lines[-1]}")
    rate: float = host.operations(case.sizes) / seconds * 1e-6
    return rate


def _weft(host: Any, case: Case, target: str) -> Contestant:
    sizes = case.sizes
    (kernel,) = driver.compile_many([(EXAMPLE / "ft.weft", "ft", sizes)], target)
    u = host.inputs(case)["u"]
    sums = np.empty(sizes["niter"], dtype=np.complex128)

    def run() -> float:
        start = clock()
        kernel(u, out=sums, threads=1)
        seconds = clock() - start
        return _rated(host, case, "weft", sums, seconds)

    return Contestant("weft", run)


def _rebuilt(host: Any, case: Case, library: ctypes.CDLL) -> Iterator[Contestant]:
    sizes = case.sizes
    u = host.inputs(case)["u"]
    sums = np.empty(sizes["niter"], dtype=np.complex128)
    for name, compute in libraries.rebuilt(sizes, u, library):

        def run(name: str = name, compute: Any = compute) -> float:
            start = clock()
            compute(sums)
            seconds = clock() - start
            return _rated(host, case, name, sums, seconds)

        yield Contestant(name, run)


def _compiled(block: int, folder: Path) -> ctypes.CDLL:
    compiler = toolchain.find_compiler()
    library = folder / f"stockham{block}.so"
    flags = ["-O3", "-std=c11", f"-DBLOCK={block}", "-shared", "-fPIC"]
    command = [compiler.path, *flags, str(HERE / "stockham.c"), "-o", str(library), "-lm"]
    subprocess.run(command, check=True)
    loaded = ctypes.CDLL(str(library))
    loaded.ft_new.restype = ctypes.c_void_p
    loaded.ft_new.argtypes = [ctypes.c_int] * 3
    loaded.ft_run.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
    loaded.ft_run.restype = None
    loaded.ft_free.argtypes = [ctypes.c_void_p]
    loaded.ft_free.restype = None
    return loaded


def _stockham(host: Any, case: Case, library: ctypes.CDLL, name: str) -> Contestant:
    sizes = case.sizes
    u = host.inputs(case)["u"]
    sums = np.empty(sizes["niter"], dtype=np.complex128)

    def run() -> float:
        state = library.ft_new(sizes["nx"], sizes["ny"], sizes["nz"])
        if not state:
            raise MemoryError(name)
        try:
            start = clock()
            library.ft_run(state, sizes["niter"], u.ctypes.data, sums.ctypes.data)
            seconds = clock() - start
        finally:
            library.ft_free(state)
        return _rated(host, case, name, sums, seconds)

    return Contestant(name, run)


def _scipy(host: Any, case: Case) -> Iterator[Contestant]:
    """The same transforms by pocketfft, the damping by one table, as NPB has it."""
    try:
        from scipy import fft
    except ImportError:
        return
    sizes = case.sizes
    shape = tuple(sizes[name] for name in ("nz", "ny", "nx"))
    u = host.inputs(case)["u"]
    squares = [np.fft.fftfreq(n, 1 / n) ** 2 for n in shape]
    z, y, x = np.meshgrid(*squares, indexing="ij", sparse=True)
    damping = np.exp(-4e-6 * np.pi**2 * (z + y + x))
    j = np.arange(1, 1025)
    sampled = (5 * j % shape[0], 3 * j % shape[1], j % shape[2])

    def run() -> float:
        sums = np.empty(sizes["niter"], dtype=np.complex128)
        start = clock()
        # Sign +1 without a factor, as dft has it.
        v = fft.ifftn(u, norm="forward", workers=1)
        for step in range(sizes["niter"]):
            v *= damping
            back = fft.fftn(v, workers=1)
            sums[step] = back[sampled].sum() / u.size
        seconds = clock() - start
        return _rated(host, case, "scipy.fft", sums, seconds)

    yield Contestant("scipy.fft", run)


def _npb_cpp(case: str) -> Iterator[Contestant]:
    """NPB-CPP's own program for this class, where the environment names it."""
    given = os.environ.get("WEFT_NPB_CPP")
    if not given:
        return
    path = Path(given)
    program = path / f"ft.{case}" if path.is_dir() else path
    if program.suffix != f".{case}" or not program.is_file():
        return

    def run() -> float:
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        done = subprocess.run(
            [str(program)], env=environment, capture_output=True, text=True, check=True
        )
        rate = re.search(r"Mop/s total\s*=\s*([\d.]+)", done.stdout)
        verified = re.search(r"Verification\s*=\s*SUCCESSFUL", done.stdout)
        if rate is None or verified is None:
            raise RunError(f"{program}: no verified rate in its output", found=done.stdout[-500:])
        return float(rate[1])

    yield Contestant("NPB-CPP, serial", run)
