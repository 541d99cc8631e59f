# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft.fft beside the modules that it stands for, the call from Python included, on one thread.

Each function on the same array, in turns: numpy.fft, scipy.fft, and pyFFTW's and MKL's forms of
scipy.fft where they are installed (pyFFTW keeps its plans). A result that differs from NumPy's has
no time. WEFT_BENCH_CASES="fft2 rfft" measures these only.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.fft

from weft import fft, module_files

HERE = Path(__file__).resolve().parent
racing = module_files.load(HERE.parent / "racing.py")
GOAL = 1.0


class Case(NamedTuple):
    function: str
    shape: tuple[int, ...]
    dtype: str

    @property
    def name(self) -> str:
        return f"{self.function} {'x'.join(map(str, self.shape))} {np.dtype(self.dtype)}"


CASES = (
    *(Case("fft", (n,), "c16") for n in (8, 64, 100, 1024, 4096, 100003, 1 << 20)),
    *(Case("fft", (n,), "c8") for n in (4096, 44100)),
    *(Case("fft", (n,), "f8") for n in (1024, 44100)),
    *(Case("rfft", (n,), "f4") for n in (1024, 44100)),
    *(Case("irfft", (n,), "c16") for n in (513, 22051)),
    *(Case("fft", (m, n), "c16") for m, n in ((64, 64), (1000, 1000))),
    Case("rfft", (256, 1000), "f4"),
    *(Case(function, (512, 512), "c16") for function in ("fft2", "ifft2")),
    *(Case("fft2", (n, n), "c8") for n in (100, 1000)),
    *(Case("rfft2", (n, n), "f4") for n in (512, 1080)),
    Case("irfft2", (512, 257), "c8"),
    Case("fftn", (64, 64, 64), "c8"),
    Case("fftn", (100, 100, 100), "c16"),
    Case("rfftn", (128, 128, 128), "f4"),
    *(Case("dct", shape, "f8") for shape in ((64,), (1000,), (65536,), (100, 1000))),
    *(Case(function, (512, 512), "f4") for function in ("dct", "idct", "dst", "dctn", "idctn")),
    Case("dctn", (300, 300), "f8"),
)


def records() -> Iterator[dict[str, Any]]:
    """Microseconds of a call, and those of the best of the others."""
    asked = os.environ.get("WEFT_BENCH_CASES", "").split()
    for case in CASES:
        if asked and not any(case.name.startswith(start) for start in asked):
            continue
        yield _measured(case)


def _measured(case: Case) -> dict[str, Any]:
    random = np.random.default_rng(1)
    x = random.standard_normal(case.shape)
    if np.dtype(case.dtype).kind == "c":
        x = x + 1j * random.standard_normal(case.shape)
    x = x.astype(case.dtype)
    module = np.fft if hasattr(np.fft, case.function) else scipy.fft
    exact = getattr(module, case.function)(x.astype("c16" if x.dtype.kind == "c" else "f8"))
    own = _contestant("weft.fft", lambda: getattr(fft, case.function)(x, workers=1))
    entered = [own]
    for name, call in _peers(case.function, x):
        entered.append(_contestant(name, call))
        _check(name, case, call(), exact)
    _check("weft.fft", case, getattr(fft, case.function)(x, workers=1), exact)
    for one in entered:
        one.warm_up()
    racing.race(entered)
    best = min(entered[1:], key=lambda one: one.best)
    ratio = best.best / own.best
    return {
        "suite": "drop-in",
        "case": case.name,
        "metric": "a call, 1 thread",
        "value": own.best * 1e6,
        "unit": "us",
        "peer": best.name,
        "peer_value": best.best * 1e6,
        "ratio": ratio,
        "goal": GOAL,
        "met": ratio >= GOAL,
    }


def _peers(function: str, x: np.ndarray) -> Iterator[tuple[str, Callable[[], Any]]]:
    if hasattr(np.fft, function):
        yield "numpy.fft", lambda: getattr(np.fft, function)(x)
    yield "scipy.fft", lambda: getattr(scipy.fft, function)(x, workers=1)
    with contextlib.suppress(ImportError):
        import pyfftw

        pyfftw.interfaces.cache.enable()
        of_fftw = getattr(pyfftw.interfaces.scipy_fft, function)
        yield "pyFFTW", lambda: of_fftw(x, workers=1)
    with contextlib.suppress(ImportError):
        from mkl_fft.interfaces import scipy_fft

        if hasattr(scipy_fft, function):  # it has no cosines
            of_mkl = getattr(scipy_fft, function)
            yield "mkl_fft", lambda: of_mkl(x, workers=1)


def _contestant(name: str, call: Callable[[], Any]) -> Any:
    def run(times: int) -> None:
        for _ in range(times):
            call()

    return racing.Contestant(name, run, threads=1)


def _check(name: str, case: Case, found: np.ndarray, exact: np.ndarray) -> None:
    error = np.linalg.norm((found - exact).ravel()) / np.linalg.norm(exact.ravel())
    if not error < (1e-5 if case.dtype in ("f4", "c8") else 1e-12):
        raise AssertionError(f"{name}, {case.name}: wrong by {error}")
