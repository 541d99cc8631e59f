# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transforms on one core and on two: Weft beside every FFT library that is installed.

All read and write the same two arrays, in turns, called from C; SciPy and NumPy are called from
Python. Rates count 5 n log2 n operations. The goal is against the best of the peers; the case's
other records are the further peers. `metric` says what part of the peak of multiply-adds that is,
and of the roof: the lesser of the peak and of as many copies of the array (memcpy, at that size, in
the same run) as passes over memory are needed. A wrong result has no rate.

WEFT_BENCH_CASES="lines 3-D" measures the cases whose names begin so, WEFT_BENCH_TARGET=portable
that target instead of the machine's best, WEFT_BENCH_SECONDS=1 each contestant for so long.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from weft import driver, module_files
from weft.call import empty_outputs
from weft.diagnostics import RunError

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "fft.weft"
TOLERANCE = {"complex128": 1e-14, "complex64": 2e-6}


cases = module_files.load(HERE / "cases.py")
peers = module_files.load(HERE / "peers.py")
racing = module_files.load(HERE.parent / "racing.py")


def records() -> Iterator[dict[str, Any]]:
    """One record a case and peer, the best peer first."""
    libraries = list(peers.guru_libraries())
    yield from racing.records(cases.cases(), partial(case_records, libraries=libraries))


def case_records(
    case: Any, target: str, harness: ctypes.CDLL, libraries: list[Any]
) -> Iterator[dict[str, Any]]:
    ours, others = contestants(case, target, harness, libraries)
    peak = racing.peak(harness, case.dtype) * case.threads
    copied = _copying(harness, case)
    racing.race([ours, *others, *copied])
    roof = case.flops / max(case.flops / peak, case.passes * copied[0].best)
    rate = case.flops / ours.best
    metric = f"{100 * rate / peak:.0f} % of peak, {100 * rate / roof:.0f} % of the roof"
    yield from racing.ranked("fft", case, target, metric, ours, others)


def contestants(
    case: Any, target: str, harness: ctypes.CDLL, libraries: list[Any]
) -> tuple[Any, list[Any]]:
    """Weft and its peers, each of which has given the right result once."""
    (kernel,) = driver.compile_many([(SOURCE, case.kernel, dict(case.sizes))], target)
    compiled: Any = kernel._compiled()
    # Large pages and all, as calls without out= have them, and one pair of arrays for everybody:
    # where memory lies decides as well.
    (x,), (y,) = empty_outputs(compiled.inputs), empty_outputs(compiled.outputs)
    values, wanted = _problem(case)

    seen = y.T if case.turned else y  # as the peers index it

    def entry(name: str, run: Callable[[int], Any], result: Callable[[], np.ndarray]) -> Any:
        y[...] = 0
        contestant = racing.Contestant(name, run, case.threads)
        x[...] = values
        contestant.warm_up()
        # A transform of two axes to real numbers may have destroyed its input.
        x[...] = values
        run(1)
        _compare(case, name, result(), wanted)
        return contestant

    found = []
    for library in libraries:
        if case.dtype in library.libraries:
            # Lines along several further axes are more than some offer.
            lacks = (peers.NoPlan,) if x.ndim - len(case.axes) > 1 else ()
            with contextlib.suppress(*lacks):
                plan, execute = library.plan(x, seen, case.axes, case.threads)
                found.append(entry(library.name, _calls(harness, execute, plan, x, y), lambda: y))
    for name, transform in peers.numpy_like(case.real, _lengths(case)):
        once = partial(transform, x, case.axes, case.threads)
        if case.turned:
            once = partial(_turned, once)
        found.append(entry(name, partial(racing.repeat, once), once))
    function, scratch = racing.entry_point(compiled, case.threads)
    return entry("Weft", _calls(harness, function, x, y, scratch), lambda: y), found


def _problem(case: Any) -> tuple[np.ndarray, np.ndarray]:
    """Input and result in double precision."""
    random = np.random.default_rng(7)
    if case.real == "":
        values = random.uniform(-1, 1, (*case.shape, 2)).view(np.complex128)[..., 0]
        spectrum = np.fft.fftn(values, axes=case.axes)
        return values, spectrum.T if case.turned else spectrum
    signal = random.uniform(-1, 1, case.shape)
    spectrum = np.fft.rfftn(signal, axes=case.axes)
    if case.real == "forward":
        return signal, spectrum
    return spectrum, signal * math.prod(_lengths(case))


def _turned(once: Callable[[], Any]) -> Any:
    return np.ascontiguousarray(once().T)


def _lengths(case: Any) -> tuple[int, ...]:
    return tuple(case.shape[axis] for axis in case.axes)


def _calls(harness: ctypes.CDLL, function: Any, *arguments: Any) -> Callable[[int], Any]:
    pointers = [
        ctypes.c_void_p(a.ctypes.data if isinstance(a, np.ndarray) else a) for a in arguments
    ]
    held = [a for a in arguments if isinstance(a, np.ndarray)]

    def run(times: int) -> None:
        assert held is not None
        harness.repeat(ctypes.c_long(times), function, *pointers)

    return run


def _compare(case: Any, name: str, got: np.ndarray, wanted: np.ndarray) -> None:
    length = math.prod(_lengths(case))
    error = np.linalg.norm((got - wanted).ravel()) / np.linalg.norm(wanted.ravel())
    if not error <= TOLERANCE[case.dtype] * max(1.0, np.log2(length)):
        raise RunError(f"fft {case.name}: {name}: wrong by {error:.1e} of the result's norm")


def _copying(harness: ctypes.CDLL, case: Any) -> list[Any]:
    """memcpy of the case's array; by one core, also where two transform."""
    source, to = (np.ones(case.bytes, np.uint8) for _ in range(2))
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (source, to)]

    def run(times: int) -> None:
        assert source.size == to.size  # and both are kept
        harness.copy(ctypes.c_long(case.bytes), *pointers, ctypes.c_long(times))

    contestant = racing.Contestant("memcpy", run, 1)
    contestant.warm_up()
    return [contestant]
