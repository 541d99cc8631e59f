# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Indices that are data, through all passes: gather, scatter, and the code a bad index returns."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emitting import ALIGNMENT, load
from weft import machine, pipeline
from weft.native import _compiler

TYPES = {"f32": "f4", "f64": "f8", "complex<f32>": "c8", "complex<f64>": "c16", "i32": "i4"}
UPDATES = {
    "add": np.add,
    "mul": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
}


def compiled(target: str, function: str, folder: Path) -> list[ctypes.CDLL]:
    attribute = machine.load(target).attribute()
    module = _compiler.Module(f"module attributes {{weft.target = {attribute}}} {{\n{function}\n}}")
    module.run(pipeline.flags(target))
    return load(target, module.emit("a test"), folder)


def status(library: ctypes.CDLL, arrays: Sequence[np.ndarray]) -> int:
    library.f_scratch_bytes.restype = ctypes.c_size_t
    block = np.zeros(library.f_scratch_bytes() + ALIGNMENT, np.uint8)
    start = block.ctypes.data + -block.ctypes.data % ALIGNMENT
    code: int = library.f(*[ctypes.c_void_p(a.ctypes.data) for a in arrays], ctypes.c_void_p(start))
    return code


def numbers(element: str, shape: tuple[int, ...], seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    dtype = np.dtype(TYPES[element])
    if dtype.kind == "i":
        return random.integers(-3, 4, shape).astype(dtype)
    # Small integers: sums and products are exact, so that any lost update shows.
    values = random.integers(-3, 4, shape).astype(dtype)
    if dtype.kind == "c":
        values += 1j * random.integers(-3, 4, shape)
    return values


def gather(element: str, index: str, rows: int, count: int, width: int) -> str:
    return f"""
func.func @f(%x: tensor<{rows}x{width}x{element}>, %idx: tensor<{count}x{index}>)
    -> tensor<{count}x{width}x{element}> {{
  %safe = weft.checked_indices %idx below {rows} code 7 : tensor<{count}x{index}>
  %y = weft.map [0, 0] to [{count}, {width}] stores [affine_map<(i, j) -> (i, j)>] {{
  ^bb0(%i: index, %j: index):
    %k = tensor.extract %safe[%i] : tensor<{count}x{index}>
    %row = arith.index_cast %k : {index} to index
    %e = tensor.extract %x[%row, %j] : tensor<{rows}x{width}x{element}>
    weft.yield %e : {element}
  }} : tensor<{count}x{width}x{element}>
  return %y : tensor<{count}x{width}x{element}>
}}"""


def gather_columns(element: str, index: str, rows: int, count: int, width: int) -> str:
    """y[i, j] = x[i, idx[j]]: the index varies along the lanes."""
    return f"""
func.func @f(%x: tensor<{rows}x{width}x{element}>, %idx: tensor<{count}x{index}>)
    -> tensor<{rows}x{count}x{element}> {{
  %safe = weft.checked_indices %idx below {width} code 7 : tensor<{count}x{index}>
  %y = weft.map [0, 0] to [{rows}, {count}] stores [affine_map<(i, j) -> (i, j)>] {{
  ^bb0(%i: index, %j: index):
    %k = tensor.extract %safe[%j] : tensor<{count}x{index}>
    %column = arith.index_cast %k : {index} to index
    %e = tensor.extract %x[%i, %column] : tensor<{rows}x{width}x{element}>
    weft.yield %e : {element}
  }} : tensor<{rows}x{count}x{element}>
  return %y : tensor<{rows}x{count}x{element}>
}}"""


def scatter(kind: str, element: str, index: str, rows: int, count: int, width: int) -> str:
    row = f"{width}x" if width else ""
    base, updates = f"tensor<{rows}x{row}{element}>", f"tensor<{count}x{row}{element}>"
    indices = f"tensor<{count}x{index}>"
    return f"""
func.func @f(%base: {base}, %idx: {indices}, %v: {updates}) -> {base} {{
  %safe = weft.checked_indices %idx below {rows} code 3 : {indices}
  %y = weft.scatter {kind} %base, %safe, %v : {base}, {indices}, {updates} -> {base}
  return %y : {base}
}}"""


@pytest.mark.parametrize("index", ["i32", "i64"])
@pytest.mark.parametrize("element", TYPES)
def test_gather(target: str, element: str, index: str, tmp_path: Path) -> None:
    x = numbers(element, (11, 21), 1)
    random = np.random.default_rng(2)
    rows = random.integers(0, 11, 37).astype("i4" if index == "i32" else "i8")
    columns = random.integers(0, 21, 37).astype(rows.dtype)
    for make, picked, axis in ((gather, rows, 0), (gather_columns, columns, 1)):
        wanted = np.take(x, picked, axis=axis)
        for library in compiled(target, make(element, index, 11, 37, 21), tmp_path):
            out = np.zeros_like(wanted)
            assert status(library, [x, picked, out]) == 0
            np.testing.assert_array_equal(out, wanted)


@pytest.mark.parametrize("index", ["i32", "i64"])
@pytest.mark.parametrize("wrong", [-1, 11, "least", "most"])
def test_bad_index_returns_the_code(target: str, index: str, wrong: Any, tmp_path: Path) -> None:
    dtype = np.dtype("i4" if index == "i32" else "i8")
    info = np.iinfo(dtype)
    bad = {"least": info.min, "most": info.max}.get(wrong, wrong)
    x = numbers("f64", (11, 21), 1)
    for library in compiled(target, gather("f64", index, 11, 37, 21), tmp_path):
        for place in range(37):
            picked = np.arange(37, dtype=dtype) % 11
            picked[place] = bad
            out = np.full((37, 21), 5.0)
            assert status(library, [x, picked, out]) == 7
            assert (out == 5.0).all(), "an output was written although the check comes first"


@pytest.mark.parametrize("width", [0, 3, 21])
@pytest.mark.parametrize("kind", [*UPDATES, "set"])
@pytest.mark.parametrize("element", ["f32", "f64", "complex<f64>", "i32"])
def test_scatter(target: str, element: str, kind: str, width: int, tmp_path: Path) -> None:
    if element.startswith("complex") and kind in ("max", "min"):
        pytest.skip("complex numbers have no order")
    row = (width,) if width else ()
    base, updates = numbers(element, (5, *row), 3), numbers(element, (40, *row), 4)
    # Runs of one index, and returns to it: each must see what the one before left.
    picked = np.concatenate([[2] * 6, np.random.default_rng(5).integers(0, 5, 34)]).astype("i8")
    wanted = base.copy()
    if kind == "set":
        for place, update in zip(picked, updates, strict=True):
            wanted[place] = update
    else:
        UPDATES[kind].at(wanted, picked, updates)
    for library in compiled(target, scatter(kind, element, "i64", 5, 40, width), tmp_path):
        kept, out = base.copy(), np.zeros_like(base)
        assert status(library, [kept, picked, updates, out]) == 0
        np.testing.assert_array_equal(out, wanted)
        np.testing.assert_array_equal(kept, base)
        picked_wrong = picked.copy()
        picked_wrong[-1] = 5
        assert status(library, [kept, picked_wrong, updates, out]) == 3


def test_updates_that_are_the_base(target: str, tmp_path: Path) -> None:
    """y += y[permuted]: in place the updates would be read after they have changed."""
    text = """
func.func @f(%x: tensor<9xf64>, %idx: tensor<9xi64>) -> tensor<9xf64> {
  %safe = weft.checked_indices %idx below 9 code 1 : tensor<9xi64>
  %two = weft.map [0] to [9] stores [affine_map<(i) -> (8 - i)>] {
  ^bb0(%i: index):
    %a = tensor.extract %x[%i] : tensor<9xf64>
    %b = arith.addf %a, %a : f64
    weft.yield %b : f64
  } : tensor<9xf64>
  %y = weft.scatter add %two, %safe, %two
      : tensor<9xf64>, tensor<9xi64>, tensor<9xf64> -> tensor<9xf64>
  %z = weft.scatter add %y, %safe, %x
      : tensor<9xf64>, tensor<9xi64>, tensor<9xf64> -> tensor<9xf64>
  return %z : tensor<9xf64>
}"""
    x = numbers("f64", (9,), 6)
    picked = np.array([1, 2, 3, 3, 3, 8, 0, 0, 4])
    wanted = 2 * x[::-1]
    np.add.at(wanted, picked, wanted.copy())
    np.add.at(wanted, picked, x)
    for library in compiled(target, text, tmp_path):
        out = np.zeros(9)
        assert status(library, [x, picked, out]) == 0
        np.testing.assert_array_equal(out, wanted)


def test_emitting_twice_gives_the_same_text(target: str) -> None:
    attribute = machine.load(target).attribute()
    function = scatter("add", "f64", "i64", 5, 40, 3)
    texts = []
    for _ in range(2):
        module = _compiler.Module(
            f"module attributes {{weft.target = {attribute}}} {{\n{function}\n}}"
        )
        module.run(pipeline.flags(target))
        texts.append(module.emit("a test").c)
    assert texts[0] == texts[1]
    assert "return 3;" in texts[0]
