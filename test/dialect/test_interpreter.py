# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every op has a meaning in the interpreter, and the bindings hand arrays through."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from weft.native import _compiler

HERE = Path(__file__).parent
DIALECT = HERE.parent.parent / "dsl" / "dialect"


def ops() -> list[str]:
    files = [(DIALECT / name).read_text(encoding="utf-8") for name in ("WeftOps.td", "GroupOps.td")]
    return re.findall(r'Weft_Op<"(\w+)"', "".join(files))


@pytest.mark.parametrize("op", [op for op in ops() if op != "yield"])
def test_op_is_interpreted(op: str) -> None:
    """One of the interpreter's lit tests runs it."""
    files = [path.read_text(encoding="utf-8") for path in (HERE / "interp").glob("*.mlir")]
    assert any(f"weft.{op} " in text for text in files)


def identity(kind: str) -> _compiler.Module:
    return _compiler.Module(
        f"func.func @f(%x: tensor<2x3x{kind}>) -> tensor<2x3x{kind}> "
        f"{{ return %x : tensor<2x3x{kind}> }}"
    )


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [
        ("i1", "bool"),
        ("i32", "int32"),
        ("i64", "int64"),
        ("f32", "float32"),
        ("f64", "float64"),
        ("complex<f32>", "complex64"),
        ("complex<f64>", "complex128"),
    ],
)
def test_arrays_of_every_type_come_back_as_they_were(kind: str, dtype: str) -> None:
    values = np.array([[1, 0, 3], [4, 5, 0]]) + (1j if "complex" in kind else 0)
    given = values.astype(dtype)
    (found,) = identity(kind).interpret("f", [given])
    assert found.dtype == dtype
    assert np.array_equal(found, given)
    # Fortran's order and strides are no other elements.
    (found,) = identity(kind).interpret("f", [np.asfortranarray(given)])
    assert np.array_equal(found, given)


def test_wrong_inputs_are_refused() -> None:
    with pytest.raises(_compiler.IrError, match=r"expected float64\[2, 3\], found float32\[2, 3\]"):
        identity("f64").interpret("f", [np.zeros((2, 3), np.float32)])
    with pytest.raises(_compiler.IrError, match="expected 1 inputs, found 0"):
        identity("f64").interpret("f", [])
    with pytest.raises(_compiler.IrError, match="no function @g"):
        identity("f64").interpret("g", [np.zeros((2, 3))])
    with pytest.raises(TypeError, match="float16"):
        identity("f64").interpret("f", [np.zeros((2, 3), np.float16)])


def test_failed_check_has_its_code() -> None:
    module = _compiler.Module(
        "func.func @f(%x: tensor<2xi64>) -> tensor<2xi64> {\n"
        "  %y = weft.checked_indices %x below 3 code 7 : tensor<2xi64>\n"
        "  return %y : tensor<2xi64>\n}"
    )
    with pytest.raises(_compiler.CheckFailed) as failed:
        module.interpret("", [np.array([0, 3])])
    assert failed.value.code == 7


def test_steps_are_limited() -> None:
    with pytest.raises(_compiler.IrError, match="after 3 steps"):
        _compiler.Module(
            "func.func @f() {\n  affine.for %i = 0 to 1000 {\n  }\n  return\n}"
        ).interpret("f", [], max_steps=3)


RACE = """
func.func @f(%y: memref<4xi64> {weft.role = "out"}) {
  %zero = arith.constant 0 : i64
  affine.store %zero, %y[3] : memref<4xi64>
  affine.for %i = 0 to 4 {
    %n = arith.index_cast %i : index to i64
    affine.for %j = 0 to 4 {
      affine.store %n, %y[%j] : memref<4xi64>
    }
  } {weft.independent}
  return
}
"""


def test_loops_that_are_not_independent_give_other_results_backwards() -> None:
    (forwards,) = _compiler.Module(RACE).interpret("f", [])
    (backwards,) = _compiler.Module(RACE).interpret("f", [], reverse_independent=True)
    assert forwards.tolist() == [3, 3, 3, 3]
    assert backwards.tolist() == [0, 0, 0, 0]
