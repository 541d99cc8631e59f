# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lowered IR to C, compiled and called: what the tests of the emitters share."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from conftest import skip_unless_runnable
from weft import machine
from weft.native import _compiler

ALIGNMENT = 64


def emit(target: str, functions: str, **numbers: int) -> Any:
    """The C of functions in textual IR; `numbers` replace those of the target's machine."""
    attribute = machine.load(target).attribute()
    for key, value in numbers.items():
        start = attribute.index(f"{key} = ")
        attribute = (
            attribute[:start] + f"{key} = {value}" + attribute[attribute.index(" :", start) :]
        )
    module = f"module attributes {{weft.target = {attribute}}} {{\n{functions}\n}}\n"
    return _compiler.Module(module).emit("a test")


def compilers() -> Iterator[str]:
    return (name for name in ("gcc", "clang-22") if shutil.which(name))


def load(target: str, emitted: Any, folder: Path) -> list[ctypes.CDLL]:
    """The kernels, once for each C compiler found; no warning is accepted. What this CPU cannot
    run is compiled, and the test skipped."""
    # A name of its own: a library of the same path is not loaded anew.
    folder = Path(tempfile.mkdtemp(dir=folder))
    source = folder / "kernel.c"
    source.write_text(emitted.c)
    libraries = []
    for number, compiler in enumerate(compilers()):
        shared = folder / f"{compiler}.so"
        flags = [*machine.load(target).c_flags, "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared"]
        if number == 0:
            flags.append("-fopenmp")
        command = [compiler, *flags, str(source), "-o", str(shared), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr + emitted.c
        libraries.append(ctypes.CDLL(str(shared)))
    assert libraries, "neither gcc nor clang-22 is installed"
    skip_unless_runnable(machine.load(target))
    return libraries


def call(library: ctypes.CDLL, name: str, arrays: Sequence[np.ndarray]) -> None:
    size = getattr(library, name + "_scratch_bytes")
    size.restype = ctypes.c_size_t
    block = np.zeros(size() + 2 * ALIGNMENT, np.uint8)
    start = -block.ctypes.data % ALIGNMENT
    pointer = ctypes.c_void_p(block.ctypes.data + start if size() else None)
    guard = block[start + size() :]
    guard[:] = 0xA5
    status = getattr(library, name)(*[ctypes.c_void_p(a.ctypes.data) for a in arrays], pointer)
    assert status == 0
    assert (guard == 0xA5).all(), "wrote beyond its scratch memory"


def run(target: str, functions: str, name: str, arrays: Sequence[np.ndarray], folder: Path) -> Any:
    """Calls the kernel; the last array is its output and is compared between compilers."""
    emitted = emit(target, functions)
    results = []
    for library in load(target, emitted, folder):
        arrays[-1].fill(0)
        call(library, name, arrays)
        results.append(arrays[-1].copy())
    for other in results[1:]:
        np.testing.assert_allclose(results[0], other, rtol=1e-6)  # contraction differs
    return results[0]
