# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The libraries beside Weft, as far as they are installed.

MKL (pip: mkl==2024.2.2; later ones cannot be made to use AVX-512 on AMD) and FFTW (Debian:
libfftw3-double3, libfftw3-single3, or a build of one's own) through FFTW's guru interface, which
both have; pocketfft as SciPy and NumPy. WEFT_BENCH_FFT="name=path ..." names further shared
libraries with that interface; WEFT_BENCH_FFTW_EFFORT=patient lets FFTW search longer.
"""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

FORWARD = -1
EFFORT = {"estimate": 1 << 6, "measure": 0, "patient": 1 << 5}
# Planning by measurement takes minutes beyond.
MOST_MEASURED_BYTES = 1 << 26


class Dimension(ctypes.Structure):
    """fftw_iodim64: strides count elements."""

    _fields_ = (("n", ctypes.c_int64), ("input", ctypes.c_int64), ("output", ctypes.c_int64))


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
        self, x: np.ndarray, y: np.ndarray, axes: tuple[int, ...], threads: int
    ) -> tuple[int, Any]:
        """A plan and the function that takes (plan, input, output). Overwrites both arrays."""
        library = self.libraries[x.dtype.name]
        self.set_threads(threads)
        make = getattr(library, _prefix(x.dtype.name) + "_plan_guru64_dft")
        make.restype = ctypes.c_void_p
        inner = _dimensions(x, y, [axis for axis in range(x.ndim) if axis in axes])
        outer = _dimensions(x, y, [axis for axis in range(x.ndim) if axis not in axes])
        effort = self.effort if x.nbytes <= MOST_MEASURED_BYTES else EFFORT["estimate"]
        plan = make(
            *(len(inner), inner, len(outer), outer),
            *(ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(y.ctypes.data)),
            *(FORWARD, ctypes.c_uint(effort)),
        )
        if not plan:
            raise RuntimeError(f"{self.name} has no plan for {x.shape}, axes {axes}")
        return plan, getattr(library, _prefix(x.dtype.name) + "_execute_dft")


def _prefix(dtype: str) -> str:
    return "fftw" if dtype == "complex128" else "fftwf"


def _dimensions(x: np.ndarray, y: np.ndarray, axes: list[int]) -> Any:
    size = x.itemsize
    entries = [Dimension(x.shape[a], x.strides[a] // size, y.strides[a] // size) for a in axes]
    return (Dimension * len(entries))(*entries)


def guru_libraries() -> Iterator[GuruLibrary]:
    mkl = _mkl()
    if mkl is not None:
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


def _fftw(name: str) -> str | None:
    """The library with threads, which brings the other one with it, or that one alone."""
    for found in (f"{name}_omp", f"{name}_threads"):
        path = ctypes.util.find_library(found)
        if path is not None and ctypes.util.find_library(name) is not None:
            return path
    return ctypes.util.find_library(name)


def numpy_like() -> Iterator[tuple[str, Callable[[np.ndarray, tuple[int, ...], int], Any]]]:
    """Libraries that are called from Python, and make their result anew: what their users get."""
    with contextlib.suppress(ImportError):
        import scipy.fft

        yield "SciPy", lambda x, axes, threads: scipy.fft.fftn(x, axes=axes, workers=threads)
    # NumPy before 2 computes c64 as c128.
    yield "NumPy", lambda x, axes, _: np.fft.fftn(x, axes=axes)
