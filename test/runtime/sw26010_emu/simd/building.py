# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C around the operations under test, compiled natively: a function an operation, over arrays of
vectors."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from .meanings import TYPES, Array, Operation

HERE = Path(__file__).resolve().parent
EMULATOR = HERE.parents[3] / "runtime" / "sw26010_emu"
INCLUDE = EMULATOR / "include"
FLAGS = ["-mavx2", "-mfma", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", f"-I{INCLUDE}"]

#: Vectors an operation is tried on.
COUNT = 200


def clang(arguments: Sequence[str], name: str = "clang-22") -> subprocess.CompletedProcess[str]:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    return subprocess.run([name, *arguments], capture_output=True, text=True)


def function(index: int, operation: Operation) -> str:
    """The operation on each vector of its arrays, which lie packed and are copied in and out."""
    parameters = ["char *to"]
    steps = []
    for letter, kind in zip("abc", operation.operands, strict=False):
        c_type, element, lanes = TYPES[kind]
        size = np.dtype(element).itemsize * lanes
        parameters.append(f"const char *from_{letter}")
        steps.append(
            f"{c_type} {letter}; __builtin_memcpy(&{letter}, from_{letter} + i * {size}, {size});"
        )
    c_type, element, lanes = TYPES[operation.result]
    size = np.dtype(element).itemsize * lanes
    return f"""
void f{index}({", ".join(parameters)}, long count) {{
  for (long i = 0; i < count; ++i) {{
    {" ".join(steps)}
    {c_type} result = {operation.call};
    __builtin_memcpy(to + i * {size}, &result, {size});
  }}
}}"""


def library(folder: Path, text: str, flags: Sequence[str] = ()) -> ctypes.CDLL:
    source = folder / "library.c"
    source.write_text(text)
    shared = folder / "library.so"
    done = clang(
        [
            "-std=gnu11",
            "-DWEFT_SW26010_PLAIN",
            "-O1",
            *FLAGS,
            *flags,
            "-fPIC",
            "-shared",
            str(source),
            "-o",
            str(shared),
            "-lm",
        ]
    )
    assert done.returncode == 0, done.stderr[:4000]
    return ctypes.CDLL(str(shared))


def run(loaded: ctypes.CDLL, index: int, operation: Operation, operands: Sequence[Array]) -> Array:
    _, element, lanes = TYPES[operation.result]
    result = np.zeros((len(operands[0]), lanes), element)
    pointers = [
        np.ascontiguousarray(operand).ctypes.data_as(ctypes.c_void_p) for operand in operands
    ]
    loaded[f"f{index}"](
        result.ctypes.data_as(ctypes.c_void_p), *pointers, ctypes.c_long(len(operands[0]))
    )
    return result


def values(kind: str, random: np.random.Generator) -> Array:
    """Random vectors, a third of their lanes taken from the edges of the type."""
    _, element, lanes = TYPES[kind]
    shape = (COUNT, lanes)
    dtype = np.dtype(element)
    if dtype.kind == "f":
        info = np.finfo(dtype)
        edges = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            2.0,
            np.inf,
            -np.inf,
            np.nan,
            info.max,
            -info.max,
            info.tiny,
            info.tiny / 4,
            1 + info.eps,
        ]
        ordinary = random.standard_normal(shape) * 10.0 ** random.integers(-12, 12, shape)
        chosen = random.choice(np.array(edges, dtype), shape)
    else:
        bits = 8 * dtype.itemsize
        edges = [
            0,
            1,
            2,
            (1 << bits) - 1,
            1 << (bits - 1),
            (1 << (bits - 1)) - 1,
            0x7FFF,
            0x8000,
            0x7F,
            0x80,
            0x7FFF8000,
            0x80007FFF,
            0x7F80807F,
        ]
        ordinary = random.integers(
            0, (1 << bits) - 1, shape, np.dtype(f"u{dtype.itemsize}"), endpoint=True
        )
        chosen = random.choice(np.array(edges, f"u{dtype.itemsize}"), shape).view(dtype)
        ordinary = ordinary.view(dtype)
    # Some operand is equal to its neighbour now and then, for comparisons: small numbers.
    small = random.integers(0, 3, shape).astype(dtype)
    pick = random.integers(0, 6, shape)
    with np.errstate(all="ignore"):
        ordinary = ordinary.astype(dtype)
    result = np.where(pick < 2, chosen, np.where(pick == 2, small, ordinary))
    result[:2] = [[0], [-1]] if dtype.kind != "u" else [[0], [np.iinfo(dtype).max]]
    return result


def assert_same(
    operation: Operation, operands: Sequence[Array], found: Array, expected: Array
) -> None:
    """Bit by bit; where a NaN was computed, not moved, any NaN will do."""
    expected = np.ascontiguousarray(expected).reshape(found.shape)
    assert expected.dtype == found.dtype, (operation.call, expected.dtype)
    same = found.view(f"u{found.itemsize}") == expected.view(f"u{found.itemsize}")
    if found.dtype.kind == "f" and not operation.moves:
        same |= np.isnan(found) & np.isnan(expected)
    if same.all():
        return
    row = int(np.argwhere(~same)[0][0])
    shown = "\n".join(
        f"  {name} = {operand[row]}" for name, operand in zip("abc", operands, strict=False)
    )
    raise AssertionError(
        f"{operation.call} of {operation.operands}, vector {row}:\n{shown}\n"
        f"  is        {found[row]}\n  should be {expected[row]}"
    )
