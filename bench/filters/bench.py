# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Filters: a transform, products, and the transform back, in one kernel and around libraries.

The libraries of `weft bench fft` transform there and back with plans of their own, and a loop in C
(gcc -O3) multiplies between; SciPy and NumPy are called from Python. All read and write the same
arrays, in turns. Rates count 5 n log2 n operations of each complex transform, half as many of a
real one, and 6 of a product. The goal is against the best of the peers. A wrong result has no rate.

WEFT_BENCH_CASES="lines plane" measures the cases whose names begin so, WEFT_BENCH_TARGET=portable
that target instead of the machine's best, WEFT_BENCH_SECONDS=1 each contestant for so long.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from weft import driver, module_files
from weft.call import empty_outputs
from weft.diagnostics import RunError

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "filters.weft"
TOLERANCE = {"complex128": 1e-14, "complex64": 2e-6}
SHORT = {"complex128": "c128", "complex64": "c64"}
GOAL = 1.2
BATCH_BYTES = 256 * 1024  # of a batch of lines: in the second cache, beyond the first
LINES = (64, 100, 127, 256, 509, 512, 1000, 1024, 4096)
REAL_LINES = (64, 256, 1000, 1024, 4096)
PLANES = ((128, 128), (256, 256), (500, 500), (512, 512), (1024, 1024), (2048, 2048))
REAL_PLANES = ((256, 256), (500, 500), (1024, 1024))
SPACES = ((64, 64, 64), (100, 100, 100), (128, 128, 128), (256, 256, 128))

racing = module_files.load(HERE.parent / "racing.py")
peers = module_files.load(HERE.parent / "fft" / "peers.py")


@dataclass(frozen=True)
class Case:
    """One array x, of which the last dimensions are transformed: all but those of `lines`."""

    kind: str
    shape: tuple[int, ...]
    dtype: str
    threads: int = 1
    goal: float = GOAL

    @property
    def is_real(self) -> bool:
        return self.kind.startswith("real")

    @property
    def axes(self) -> tuple[int, ...]:
        return (1,) if self.kind.endswith("lines") else tuple(range(len(self.shape)))

    @property
    def name(self) -> str:
        threads = f", {self.threads} threads" if self.threads > 1 else ""
        extents = self.shape[1:] if self.kind.endswith("lines") else self.shape
        return f"{self.kind} {'x'.join(map(str, extents))} {self.dtype}{threads}"

    @property
    def kernel(self) -> str:
        return f"{self.kind.replace(' ', '_')}_{SHORT[self.dtype]}"

    @property
    def sizes(self) -> dict[str, int]:
        names = {"lines": ("b", "n"), "plane": ("ny", "nx"), "space": ("nz", "ny", "nx")}
        return dict(zip(names[self.kind.split()[-1]], self.shape, strict=True))

    @property
    def flops(self) -> float:
        points = math.prod(self.shape)
        length = math.prod(self.shape[axis] for axis in self.axes)
        share = 0.5 if self.is_real else 1.0
        return share * points * (2 * 5 * math.log2(length) + 6)


def cases() -> Iterator[Case]:
    for dtype in ("complex128", "complex64"):
        for kind, lengths in (("lines", LINES), ("real lines", REAL_LINES)):
            for n in lengths:
                width = n // 2 + 1 if kind == "real lines" else n
                count = max(1, BATCH_BYTES // (width * np.dtype(dtype).itemsize))
                yield Case(kind, (count, n), dtype)
        for shape in PLANES:
            yield Case("plane", shape, dtype)
        for shape in REAL_PLANES:
            yield Case("real plane", shape, dtype)
        for extents in SPACES:
            yield Case("space", extents, dtype)
        yield Case("plane", (2048, 2048), dtype, 2)
        yield Case("space", (256, 256, 128), dtype, 2)


def records() -> Iterator[dict[str, Any]]:
    """One record a case and peer, the best peer first."""
    libraries = list(peers.guru_libraries())
    yield from racing.records(cases(), partial(case_records, libraries=libraries))


def case_records(
    case: Case, target: str, harness: ctypes.CDLL, libraries: list[Any]
) -> Iterator[dict[str, Any]]:
    ours, others = contestants(case, target, harness, libraries)
    peak = racing.peak(harness, case.dtype) * case.threads
    racing.race([ours, *others])
    metric = f"{100 * case.flops / ours.best / peak:.0f} % of peak"
    yield from racing.ranked("filters", case, target, metric, ours, others)


def contestants(
    case: Case, target: str, harness: ctypes.CDLL, libraries: list[Any]
) -> tuple[Any, list[Any]]:
    """Weft and its peers, each of which has given the right result once."""
    (kernel,) = driver.compile_many([(SOURCE, case.kernel, case.sizes)], target)
    compiled: Any = kernel._compiled()
    # Large pages and all, as calls without out= have them, and the same arrays for everybody.
    (x, h), (y,) = empty_outputs(compiled.inputs), empty_outputs(compiled.outputs)
    values, factors, wanted = problem(case)
    h[...] = factors

    def entry(name: str, run: Callable[[int], Any], result: Callable[[], np.ndarray]) -> Any:
        x[...], y[...] = values, 0
        contestant = racing.Contestant(name, run, case.threads)
        contestant.warm_up()
        error = np.linalg.norm((result() - wanted).ravel()) / np.linalg.norm(wanted.ravel())
        length = math.prod(case.shape[axis] for axis in case.axes)
        if not error <= 2 * TOLERANCE[case.dtype] * max(1.0, np.log2(length)):
            raise RunError(f"filters {case.name}: {name}: wrong by {error:.1e} of the result")
        return contestant

    found = [
        entry(library.name, around(library, case, harness, x, h, y), lambda: y)
        for library in libraries
        if case.dtype in library.libraries
    ]
    for name, once in from_python(case, x, h):
        found.append(entry(name, partial(racing.repeat, once), once))
    function, scratch = racing.entry_point(compiled, case.threads)

    def run(times: int) -> None:
        pointers = (ctypes.c_void_p(array.ctypes.data) for array in (x, h, y, scratch))
        harness.repeat_two(ctypes.c_long(times), function, *pointers)

    return entry("Weft", run, lambda: y), found


def problem(case: Case) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Input, filter and result in double precision."""
    random = np.random.default_rng(7)
    shape = case.shape[1:] if case.kind.endswith("lines") else case.shape
    within = tuple(range(len(shape)))
    if not case.is_real:
        x, h = (
            random.uniform(-1, 1, (*extents, 2)).view(np.complex128)[..., 0]
            for extents in (case.shape, shape)
        )
        return x, h, np.fft.ifftn(np.fft.fftn(x, axes=case.axes) * h, axes=case.axes)
    signal, taps = random.uniform(-1, 1, case.shape), random.uniform(-1, 1, shape)
    factors = np.fft.rfftn(taps, axes=within)
    lengths = tuple(case.shape[axis] for axis in case.axes)
    spectrum = np.fft.rfftn(signal, axes=case.axes) * factors
    return signal, factors, np.fft.irfftn(spectrum, s=lengths, axes=case.axes)


class Filter(ctypes.Structure):
    """struct filter of harness.c."""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("there", "there_plan", "back", "back_plan")),
        *((name, ctypes.c_void_p) for name in ("x", "spectrum", "y", "h")),
        *((name, ctypes.c_long) for name in ("rows", "columns")),
        *((name, ctypes.c_int) for name in ("same", "is_double")),
    )


def around(
    library: Any, case: Case, harness: ctypes.CDLL, x: np.ndarray, h: np.ndarray, y: np.ndarray
) -> Callable[[int], None]:
    """The filter by a library: what transforms multiply by goes into the factors."""
    spectrum = np.zeros((*case.shape[:-1], h.shape[-1]), case.dtype)
    there, forward = library.plan(x, spectrum, case.axes, case.threads)
    back, backward = library.plan(spectrum, y, case.axes, case.threads, sign=+1)
    scaled = h / math.prod(case.shape[axis] for axis in case.axes)
    address = [ctypes.cast(function, ctypes.c_void_p) for function in (forward, backward)]
    arrays = [array.ctypes.data for array in (x, spectrum, y, scaled)]
    rows = spectrum.size // spectrum.shape[-1]
    work = Filter(
        *(address[0], there, address[1], back, *arrays, rows, spectrum.shape[-1]),
        *(h.ndim < x.ndim, case.dtype == "complex128"),
    )

    def run(times: int) -> None:
        assert all(array.size for array in (x, spectrum, y, scaled))  # and all are kept
        library.set_threads(case.threads)
        harness.filter(ctypes.c_long(times), ctypes.byref(work))

    return run


def from_python(
    case: Case, x: np.ndarray, h: np.ndarray
) -> Iterator[tuple[str, Callable[[], Any]]]:
    prefix = "r" if case.is_real else ""
    there, back = f"{prefix}fftn", f"i{prefix}fftn"
    options: dict[str, Any] = {"axes": case.axes}
    lengths = {"s": tuple(case.shape[axis] for axis in case.axes)} if case.is_real else {}
    try:
        import scipy.fft
    except ImportError:
        pass
    else:

        def scipys() -> Any:
            spectrum = getattr(scipy.fft, there)(x, workers=case.threads, **options)
            spectrum *= h
            return getattr(scipy.fft, back)(
                spectrum, workers=case.threads, overwrite_x=True, **options, **lengths
            )

        yield "SciPy", scipys

    def numpys() -> Any:
        spectrum = getattr(np.fft, there)(x, **options)
        spectrum *= h
        return getattr(np.fft, back)(spectrum, **options, **lengths)

    yield "NumPy", numpys
