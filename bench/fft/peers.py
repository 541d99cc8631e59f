# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The libraries beside Weft, as far as they are installed.

MKL (pip: mkl==2024.2.2, made to use AVX-512 on CPUs of AMD, which later ones do not let one do) and
FFTW (Debian: libfftw3-double3, libfftw3-single3, or a build of one's own) through FFTW's guru
interface, which both have; pocketfft as SciPy and NumPy. WEFT_BENCH_FFT="name=path ..." names
further shared libraries with that interface; WEFT_BENCH_FFTW_EFFORT=patient lets FFTW search
longer.
"""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from weft import toolchain

FORWARD = -1
EFFORT = {"estimate": 1 << 6, "measure": 0, "patient": 1 << 5}
PRESERVE_INPUT = 1 << 4  # of transforms to real numbers of more than one axis there is no such plan
# Planning by measurement takes minutes beyond.
MOST_MEASURED_BYTES = 1 << 26


class Dimension(ctypes.Structure):
    """fftw_iodim64: strides count elements."""

    _fields_ = (("n", ctypes.c_int64), ("input", ctypes.c_int64), ("output", ctypes.c_int64))


class NoPlan(Exception):
    """What a library does not offer: MKL's lines lie along one further axis only."""


class GuruLibrary:
    """A library with FFTW's interface; `double` and `single` may be one file or two."""

    def __init__(self, name: str, double: str, single: str | None = None) -> None:
        self.name = name
        mode = os.RTLD_LOCAL | os.RTLD_NOW | getattr(os, "RTLD_DEEPBIND", 0)
        self.libraries: dict[str, ctypes.CDLL] = {}
        for dtype, path in (("complex128", double), ("complex64", single)):
            library = None if path is None else ctypes.CDLL(path, mode=mode)
            if library is not None and hasattr(library, _prefix(dtype) + "_execute_dft"):
                self.libraries[dtype] = library
        self.effort = EFFORT[os.environ.get("WEFT_BENCH_FFTW_EFFORT", "measure")]

    def set_threads(self, threads: int) -> None:
        for dtype, library in self.libraries.items():
            prefix = _prefix(dtype)
            with contextlib.suppress(AttributeError):
                getattr(library, f"{prefix}_init_threads")()
                getattr(library, f"{prefix}_plan_with_nthreads")(threads)
            with contextlib.suppress(AttributeError):
                library.MKL_Set_Num_Threads(threads)

    def plan(
        self,
        x: np.ndarray,
        y: np.ndarray,
        axes: tuple[int, ...],
        threads: int,
        sign: int = FORWARD,
    ) -> tuple[int, Any]:
        """A plan and the function that takes (plan, input, output). Overwrites both arrays.

        Where one of them is real the other has half a spectrum along the last axis.
        """
        real = "_r2c" if x.dtype.kind == "f" else "_c2r" if y.dtype.kind == "f" else ""
        dtype = (x if x.dtype.kind == "c" else y).dtype.name
        library = self.libraries[dtype]
        self.set_threads(threads)
        make = getattr(library, f"{_prefix(dtype)}_plan_guru64_dft{real}")
        make.restype = ctypes.c_void_p
        inner = _dimensions(x, y, [axis for axis in range(x.ndim) if axis in axes])
        outer = _dimensions(x, y, [axis for axis in range(x.ndim) if axis not in axes])
        effort = self.effort if x.nbytes <= MOST_MEASURED_BYTES else EFFORT["estimate"]
        if real == "_c2r" and len(axes) == 1:
            effort |= PRESERVE_INPUT
        plan = make(
            *(len(inner), inner, len(outer), outer),
            *(ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(y.ctypes.data)),
            *(() if real else (sign,)),
            ctypes.c_uint(effort),
        )
        if not plan:
            raise NoPlan(f"{self.name} has no plan for {x.shape}, axes {axes}")
        return plan, getattr(library, f"{_prefix(dtype)}_execute_dft{real}")

    def forget(self, plan: int, dtype: str) -> None:
        destroy = getattr(self.libraries[dtype], _prefix(dtype) + "_destroy_plan")
        destroy(ctypes.c_void_p(plan))


def _prefix(dtype: str) -> str:
    return "fftw" if dtype == "complex128" else "fftwf"


def _dimensions(x: np.ndarray, y: np.ndarray, axes: list[int]) -> Any:
    entries = [
        Dimension(
            max(x.shape[a], y.shape[a]), x.strides[a] // x.itemsize, y.strides[a] // y.itemsize
        )
        for a in axes
    ]
    return (Dimension * len(entries))(*entries)


def guru_libraries() -> Iterator[GuruLibrary]:
    mkl = _mkl()
    if mkl is not None:
        _trust_cpu()
        yield GuruLibrary("MKL", mkl, mkl)
    double, single = (_fftw(name) for name in ("fftw3", "fftw3f"))
    if double is not None:
        yield GuruLibrary("FFTW", double, single)
    for entry in os.environ.get("WEFT_BENCH_FFT", "").split():
        name, _, path = entry.partition("=")
        yield GuruLibrary(name, path, path)


def _mkl() -> str | None:
    # Threads by one library only: two in one process wait for each other.
    os.environ.setdefault("MKL_THREADING_LAYER", "GNU")
    for folder in {Path(sys.prefix) / "lib", *(Path(p).parent.parent for p in sys.path if p)}:
        for file in sorted(folder.glob("libmkl_rt.so*")):
            return str(file)
    return ctypes.util.find_library("mkl_rt")


def _trust_cpu() -> None:
    """Answers for this CPU what MKL asks before it takes more than SSE2 on one that is not Intel's.

    It looks for the answer among the names that all libraries of a process share first.
    """
    with tempfile.TemporaryDirectory(prefix="weft-bench-") as folder:
        library = Path(folder) / "trust.so"
        command = [toolchain.find_compiler().path, "-shared", "-fPIC", "-x", "c", "-"]
        subprocess.run(
            [*command, "-o", str(library)],
            input="int mkl_serv_intel_cpu_true(void) { return 1; }",
            text=True,
            check=True,
        )
        ctypes.CDLL(str(library), mode=os.RTLD_GLOBAL | os.RTLD_NOW)


def _fftw(name: str) -> str | None:
    """The library with threads, which brings the other one with it, or that one alone."""
    for found in (f"{name}_omp", f"{name}_threads"):
        path = ctypes.util.find_library(found)
        if path is not None and ctypes.util.find_library(name) is not None:
            return path
    return ctypes.util.find_library(name)


Transform = Callable[[np.ndarray, tuple[int, ...], int], Any]


def numpy_like(real: str = "", lengths: tuple[int, ...] = ()) -> Iterator[tuple[str, Transform]]:
    """Libraries that are called from Python, and make their result anew: what their users get.

    `lengths` are those of the axes where the result is real.
    """
    name = {"": "fftn", "forward": "rfftn", "back": "irfftn"}[real]
    options: dict[str, Any] = {"s": lengths, "norm": "forward"} if real == "back" else {}
    with contextlib.suppress(ImportError):
        import scipy.fft

        def scipys(x: np.ndarray, axes: tuple[int, ...], threads: int) -> Any:
            return getattr(scipy.fft, name)(x, axes=axes, workers=threads, **options)

        yield "SciPy", scipys
    # NumPy before 2 computes c64 as c128.
    yield "NumPy", lambda x, axes, _: getattr(np.fft, name)(x, axes=axes, **options)
