# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NPB FT rebuilt on the FFT libraries of `bench/fft`: library.c around their 3-D transforms."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from weft import module_files, toolchain

HERE = Path(__file__).resolve().parent
FORWARD, BACK = +1, -1  # NPB's signs

peers = module_files.load(HERE.parent / "fft" / "peers.py")

Rebuilt = Callable[[np.ndarray], None]


class Problem(ctypes.Structure):
    """As library.c has it."""

    _fields_ = (
        *((name, ctypes.c_int) for name in ("nx", "ny", "nz", "niter")),
        *((name, ctypes.c_void_p) for name in ("ex", "ey", "ez")),
        *((name, ctypes.c_void_p) for name in ("transform", "forward", "back")),
        *((name, ctypes.c_void_p) for name in ("u", "spectrum", "field")),
    )


# What -ffast-math allows, without what it adds to a library: numbers near zero would become zero
# in all of the process.
FAST_MATH = [
    *("-fno-math-errno", "-ffinite-math-only", "-fcx-limited-range", "-fno-signed-zeros"),
    *("-fno-trapping-math", "-fassociative-math", "-freciprocal-math"),
]


def compiled(folder: Path) -> ctypes.CDLL:
    """library.c with vectors of this machine: what is not the library is not to be slow."""
    compiler = toolchain.find_compiler()
    library = folder / "library.so"
    flags = ["-O3", "-march=native", "-std=c11", "-shared", "-fPIC", *FAST_MATH]
    command = [compiler.path, *flags, str(HERE / "library.c"), "-o", str(library)]
    subprocess.run(command, check=True)
    loaded = ctypes.CDLL(str(library))
    loaded.ft_library.argtypes = [ctypes.POINTER(Problem), ctypes.c_void_p]
    loaded.ft_library.restype = None
    return loaded


def rebuilt(sizes: dict[str, int], u: np.ndarray, driver: ctypes.CDLL) -> Iterator[Any]:
    """(name, run) of each library that is installed; run(sums) computes all of FT once."""
    for library in peers.guru_libraries():
        if "complex128" in library.libraries:
            yield f"FT on {library.name}", _on(library, sizes, u, driver)


def _on(library: Any, sizes: dict[str, int], u: np.ndarray, driver: ctypes.CDLL) -> Rebuilt:
    # Planning overwrites the arrays.
    given = np.empty_like(u)
    spectrum, field = np.empty_like(u), np.empty_like(u)
    axes = (0, 1, 2)
    forward, execute = library.plan(given, spectrum, axes, 1, FORWARD)
    back, _ = library.plan(spectrum, field, axes, 1, BACK)
    given[...] = u
    waves = {name: np.fft.fftfreq(sizes[f"n{name}"], 1 / sizes[f"n{name}"]) for name in "xyz"}
    factors = {name: np.exp(-4e-6 * np.pi**2 * wave**2) for name, wave in waves.items()}
    arrays = (given, spectrum, field)
    problem = Problem(
        *(sizes[name] for name in ("nx", "ny", "nz", "niter")),
        *(factors[name].ctypes.data for name in "xyz"),
        *(ctypes.cast(execute, ctypes.c_void_p).value, forward, back),
        *(array.ctypes.data for array in arrays),
    )
    held = [factors, arrays, library]

    def run(sums: np.ndarray) -> None:
        assert held
        driver.ft_library(ctypes.byref(problem), sums.ctypes.data)

    return run
