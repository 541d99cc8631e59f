# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transforms in 128-bit floating point: FFTW's where it is installed, else those of exact.c."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
QUAD = np.dtype("V32")  # a complex number of two 128-bit parts
ESTIMATE = 1 << 6
FORWARD, BACKWARD = -1, 1

Exact = np.ndarray


def _pointer(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


class Reference:
    """`library` is exact.c, `quad` FFTW in 128 bits (Debian: libfftw3-quad3) or nothing."""

    def __init__(self, library: ctypes.CDLL, quad: ctypes.CDLL | None) -> None:
        self._library, self._quad = library, quad
        for name in ("error_of_doubles", "error_of_floats"):
            getattr(library, name).restype = ctypes.c_double

    @property
    def name(self) -> str:
        return "exact.c" if self._quad is None else "FFTW, 128 bits"

    def transform(self, x: np.ndarray, sign: int) -> Exact:
        """The unscaled transform of each line of `x`."""
        lines, length = x.shape
        wide, result = (np.empty(x.shape, QUAD) for _ in range(2))
        widen = "widen_doubles" if x.dtype == np.complex128 else "widen_floats"
        if self._quad is not None:
            self._fftw(wide, result, sign, lambda: self._widen(widen, x, wide))
            return result
        self._widen(widen, x, wide)
        failed = self._library.exact_transform(
            *(ctypes.c_long(lines), ctypes.c_long(length), ctypes.c_int(sign)),
            *(_pointer(wide), _pointer(result)),
        )
        if failed:
            raise MemoryError(f"no memory for the roots of {length}")
        return result

    def error(self, exact: Exact, divisor: float, got: np.ndarray) -> float:
        """How far `got` is from `exact` / divisor, relative, in the L2 norm."""
        name = "error_of_doubles" if got.dtype == np.complex128 else "error_of_floats"
        assert got.flags.c_contiguous
        error: float = getattr(self._library, name)(
            *(ctypes.c_long(2 * got.size), _pointer(exact)),
            *(ctypes.c_double(divisor), _pointer(got)),
        )
        return error

    def _widen(self, function: str, x: np.ndarray, wide: np.ndarray) -> None:
        assert x.flags.c_contiguous
        getattr(self._library, function)(ctypes.c_long(2 * x.size), _pointer(x), _pointer(wide))

    def _fftw(self, wide: Exact, result: Exact, sign: int, fill: Callable[[], None]) -> None:
        assert self._quad is not None
        lines, length = wide.shape
        quad: Any = self._quad
        quad.fftwq_plan_many_dft.restype = ctypes.c_void_p
        size, none = (ctypes.c_int * 1)(length), ctypes.c_void_p()
        plan = quad.fftwq_plan_many_dft(
            *(1, size, ctypes.c_int(lines)),
            *(_pointer(wide), none, 1, ctypes.c_int(length)),
            *(_pointer(result), none, 1, ctypes.c_int(length)),
            *(sign, ctypes.c_uint(ESTIMATE)),
        )
        if not plan:
            raise RuntimeError(f"FFTW has no plan for {lines} lines of {length}")
        fill()
        quad.fftwq_execute(ctypes.c_void_p(plan))
        quad.fftwq_destroy_plan(ctypes.c_void_p(plan))


def build(folder: Path, compiler: str) -> ctypes.CDLL:
    library = folder / "exact.so"
    command = [compiler, "-O2", "-std=gnu11", "-shared", "-fPIC", str(HERE / "exact.c")]
    subprocess.run([*command, "-o", str(library), "-lquadmath"], check=True)
    return ctypes.CDLL(str(library))


def find_quad() -> ctypes.CDLL | None:
    """WEFT_BENCH_FFTW_QUAD=path, or the installed one."""
    path = os.environ.get("WEFT_BENCH_FFTW_QUAD") or ctypes.util.find_library("fftw3q")
    return None if path is None else ctypes.CDLL(path)
