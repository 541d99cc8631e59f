# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Emitted C compiles without a warning, computes what the IR says, and says what it costs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from emitting import call, emit, load, run
from weft import machine
from weft.native import _compiler

COMPLEX_PRODUCT = """
memref.global "private" constant @w : memref<4x2xf64> =
    dense<[[1.0, 0.0], [0.5, -0.5], [0.0, 1.0], [-2.0, 3.0]]>
func.func @product(%x: memref<3x4x2xf64> {weft.name = "x", weft.role = "in"},
                   %y: memref<3x4x2xf64> {weft.name = "y", weft.role = "out"}) {
  %w = memref.get_global @w : memref<4x2xf64>
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 4 {
      %xr = affine.load %x[%i, %j, 0] : memref<3x4x2xf64>
      %xi = affine.load %x[%i, %j, 1] : memref<3x4x2xf64>
      %wr = affine.load %w[%j, 0] : memref<4x2xf64>
      %wi = affine.load %w[%j, 1] : memref<4x2xf64>
      %rr = arith.mulf %xr, %wr : f64
      %ii = arith.mulf %xi, %wi : f64
      %ri = arith.mulf %xr, %wi : f64
      %ir = arith.mulf %xi, %wr : f64
      %re = arith.subf %rr, %ii : f64
      %im = arith.addf %ri, %ir : f64
      affine.store %re, %y[%i, %j, 0] : memref<3x4x2xf64>
      affine.store %im, %y[%i, %j, 1] : memref<3x4x2xf64>
    }
  } {weft.parallel}
  return
}
"""


def test_scalar_loops(target: str, tmp_path: Path) -> None:
    x = np.random.default_rng(1).standard_normal((3, 4, 2))
    w = np.array([1, 0.5 - 0.5j, 1j, -2 + 3j])
    y = run(target, COMPLEX_PRODUCT, "product", [x, np.zeros((3, 4, 2))], tmp_path)
    np.testing.assert_allclose(y.view(complex)[..., 0], x.view(complex)[..., 0] * w, rtol=1e-14)


def test_counts_by_hand(target: str) -> None:
    """12 complex products: 4 multiplications and 2 additions each, 4 loads, 2 stores."""
    kernel = emit(target, COMPLEX_PRODUCT).kernels[0]
    assert kernel.counts == {"add": 24, "mul": 48, "load": 48, "store": 24, "flops": 72}
    assert kernel.bytes == {
        "arguments_read": 192,
        "arguments_written": 192,
        "tables_read": 192,
    }
    assert (kernel.name, kernel.c_name, kernel.scratch_bytes) == ("product", "product", 0)


def vectors(target: str) -> tuple[int, str]:
    lanes = int(machine.load(target).values["vector_bytes"]) // 8
    return lanes, f"vector<{lanes}xf64>"


def negated_fma(target: str) -> str:
    n, v = vectors(target)
    return f"""
func.func @f(%x: memref<{2 * n}xf64> {{weft.name = "x", weft.role = "in"}},
             %y: memref<{2 * n}xf64> {{weft.name = "y", weft.role = "out"}}) {{
  %half = arith.constant dense<0.5> : {v}
  affine.for %i = 0 to {2 * n} step {n} {{
    %a = affine.vector_load %x[%i] : memref<{2 * n}xf64>, {v}
    %m = arith.negf %a : {v}
    %b = math.fma %m, %half, %a : {v}
    %c = math.fma %b, %a, %m : {v}
    affine.vector_store %c, %y[%i] : memref<{2 * n}xf64>, {v}
  }}
  return
}}
"""


def test_negations_join_fused(tmp_path: Path) -> None:
    """2 vectors of 8 lanes: 4 fused multiply-adds of 8 lanes, no change of sign."""
    emitted = emit("avx512", negated_fma("avx512"))
    assert emitted.kernels[0].counts == {"fma": 32, "flops": 64, "load": 2, "store": 2}
    assert "_mm512_fnmadd_pd" in emitted.c
    assert "_mm512_fmsub_pd" in emitted.c


def test_negations_joined_value(target: str, tmp_path: Path) -> None:
    if target == "portable":
        pytest.skip("portable has no fused multiply-add")
    x = np.linspace(-2, 2, 2 * vectors(target)[0])
    y = run(target, negated_fma(target), "f", [x, np.zeros_like(x)], tmp_path)
    np.testing.assert_allclose(y, 0.5 * x * x - x, rtol=1e-15, atol=1e-15)


def test_shuffles(target: str, tmp_path: Path) -> None:
    """Any mask: those with an instruction of their own and those without."""
    for element, dtype in (("f64", np.float64), ("f32", np.float32), ("i32", np.int32)):
        n = int(machine.load(target).values["vector_bytes"]) // np.dtype(dtype).itemsize
        random = np.random.default_rng(2)
        masks = [list(random.integers(0, 2 * n, n)) for _ in range(20)]
        masks += [list(random.integers(0, n, n)) for _ in range(5)]
        masks += structured_masks(n)
        v = f"vector<{n}x{element}>"
        body = ""
        out = f"memref<{len(masks)}x{n}x{element}>"
        for row, mask in enumerate(masks):
            body += f"  %r{row} = vector.shuffle %a, %b [{', '.join(map(str, mask))}] : {v}, {v}\n"
            body += f"  affine.vector_store %r{row}, %y[{row}, 0] : {out}, {v}\n"
        text = f"""
func.func @s(%x: memref<2x{n}x{element}> {{weft.name = "x", weft.role = "in"}},
             %y: {out} {{weft.name = "y", weft.role = "out"}}) {{
  %a = affine.vector_load %x[0, 0] : memref<2x{n}x{element}>, {v}
  %b = affine.vector_load %x[1, 0] : memref<2x{n}x{element}>, {v}
{body}  return
}}
"""
        x = np.arange(2 * n, dtype=dtype).reshape(2, n)
        y = run(target, text, "s", [x, np.zeros((len(masks), n), dtype)], tmp_path)
        np.testing.assert_array_equal(y, x.ravel()[np.array(masks)])


def structured_masks(n: int) -> list[list[int]]:
    """Masks of instructions: within 128-bit lanes, of whole lanes, blends; both operand orders."""
    per = max(n // 4, 2) if n > 4 else n
    lane = [i - i % per for i in range(n)]
    found = []
    for half in (0, per // 2):
        found.append([lane[i] + i % per // 2 + half + (i % 2) * n for i in range(n)])
    found.append([i if i % 3 else i + n for i in range(n)])
    found.append([lane[i] + (i % per) ^ 1 for i in range(n)])
    found.append(
        [lane[i] + (i % per * 3 + 1) % per + (n if i % per >= per // 2 else 0) for i in range(n)]
    )
    blocks = [2, 0, 3, 1]
    if n > 4:
        found.append(
            [blocks[i // per] * per + i % per + (n if i >= n // 2 else 0) for i in range(n)]
        )
        found.append([blocks[i // per] * per + i % per for i in range(n)])
        found.append([i - i % 4 + [3, 0, 2, 1][i % 4] for i in range(n)])
    swapped = [[(index + n) % (2 * n) for index in mask] for mask in found]
    return found + swapped


REVERSAL = """
  affine.for %i = 0 to 40 {
    %tile = memref.alloca() : memref<64xf64>
    affine.for %j = 0 to 64 {
      %a = affine.load %x[%i, %j] : memref<40x64xf64>
      %b = arith.addf %a, %a : f64
      affine.store %b, %tile[63 - %j] : memref<64xf64>
    }
    affine.for %j = 0 to 64 {
      %a = affine.load %tile[%j] : memref<64xf64>
      affine.store %a, %y[%i, %j] : memref<40x64xf64>
    }
  } {weft.parallel}
"""


def blocks(body: str) -> str:
    return f"""
func.func @blocks(%x: memref<40x64xf64> {{weft.name = "x", weft.role = "in"}},
                  %y: memref<40x64xf64> {{weft.name = "y", weft.role = "out"}}) {{
{body}
  return
}}
"""


@pytest.mark.parametrize("stack", [65536, 256])
def test_local_arrays(target: str, stack: int, tmp_path: Path) -> None:
    """On the stack where they fit, else in the part of the scratch memory of the thread."""
    emitted = emit(target, blocks(REVERSAL), stack_bytes=stack)
    assert emitted.kernels[0].scratch_bytes == (0 if stack == 65536 else 40 * 512)
    x = np.random.default_rng(1).standard_normal((40, 64))
    for library in load(target, emitted, tmp_path):
        y = np.zeros_like(x)
        call(library, "blocks", [x, y])
        np.testing.assert_array_equal(y, 2 * x[:, ::-1])


SCRATCH = """
func.func @chain(%x: memref<100xf64> {weft.name = "x", weft.role = "in"},
                 %y: memref<100xf64> {weft.name = "y", weft.role = "out"}) {
  %a = memref.alloc() {alignment = 64 : i64} : memref<100xf64>
  %b = memref.alloc() {alignment = 64 : i64} : memref<100xf64>
  %c = memref.alloc() {alignment = 64 : i64} : memref<100xf64>
  memref.copy %x, %a : memref<100xf64> to memref<100xf64>
  affine.for %i = 0 to 100 {
    %v = affine.load %a[99 - %i] : memref<100xf64>
    affine.store %v, %b[%i] : memref<100xf64>
  }
  affine.for %i = 0 to 100 {
    %v = affine.load %b[(%i + 7) mod 100] : memref<100xf64>
    affine.store %v, %c[%i] : memref<100xf64>
  }
  memref.copy %c, %y : memref<100xf64> to memref<100xf64>
  return
}
"""


def test_scratch_is_shared(target: str, tmp_path: Path) -> None:
    """%a is dead before %c lives: two slices of 832 bytes, not three."""
    assert emit(target, SCRATCH).kernels[0].scratch_bytes == 2 * 832
    x = np.arange(100.0)
    y = run(target, SCRATCH, "chain", [x, np.zeros(100)], tmp_path)
    np.testing.assert_array_equal(y, np.roll(x[::-1], -7))


def test_integers(target: str, tmp_path: Path) -> None:
    """Division as the IR defines it, wrap-around, no trap on zero."""
    text = """
func.func @ints(%x: memref<6xi32> {weft.name = "x", weft.role = "in"},
                %d: memref<6xi32> {weft.name = "d", weft.role = "in"},
                %y: memref<6x5xi32> {weft.name = "y", weft.role = "out"}) {
  affine.for %i = 0 to 6 {
    %a = affine.load %x[%i] : memref<6xi32>
    %b = affine.load %d[%i] : memref<6xi32>
    %0 = arith.divsi %a, %b : i32
    %1 = arith.remsi %a, %b : i32
    %2 = arith.floordivsi %a, %b : i32
    %3 = arith.addi %a, %b : i32
    %4 = arith.maxsi %a, %b : i32
    affine.store %0, %y[%i, 0] : memref<6x5xi32>
    affine.store %1, %y[%i, 1] : memref<6x5xi32>
    affine.store %2, %y[%i, 2] : memref<6x5xi32>
    affine.store %3, %y[%i, 3] : memref<6x5xi32>
    affine.store %4, %y[%i, 4] : memref<6x5xi32>
  }
  return
}
"""
    least = -(2**31)
    x = np.array([7, -7, 7, 5, least, 2**31 - 1], np.int32)
    d = np.array([2, 2, -2, 0, -1, 1], np.int32)
    y = run(target, text, "ints", [x, d, np.zeros((6, 5), np.int32)], tmp_path)
    expected = [
        [3, 1, 3, 9, 7],
        [-3, -1, -4, -5, 2],
        [-3, 1, -4, 5, 7],
        [0, 0, 0, 5, 5],
        [least, 0, least, 2**31 - 1, -1],
        [2**31 - 1, 0, 2**31 - 1, least, 2**31 - 1],
    ]
    np.testing.assert_array_equal(y, expected)


def test_gather_and_truth_values(target: str, tmp_path: Path) -> None:
    text = """
func.func @pick(%x: memref<5xf32> {weft.name = "x", weft.role = "in"},
                %n: memref<4xi64> {weft.name = "n", weft.role = "in"},
                %y: memref<4xi1> {weft.name = "y", weft.role = "out"}) {
  %limit = arith.constant 0.5 : f32
  affine.for %i = 0 to 4 {
    %k = affine.load %n[%i] : memref<4xi64>
    %j = arith.index_cast %k : i64 to index
    %a = memref.load %x[%j] : memref<5xf32>
    %b = math.sqrt %a : f32
    %c = arith.cmpf ugt, %b, %limit : f32
    affine.store %c, %y[%i] : memref<4xi1>
  }
  return
}
"""
    x = np.array([0.0, 1.0, 0.1, -1.0, 4.0], np.float32)
    n = np.array([4, 3, 2, 0])
    y = run(target, text, "pick", [x, n, np.zeros(4, bool)], tmp_path)
    np.testing.assert_array_equal(y, [True, True, False, False])


def test_carried_values_change_at_once(target: str, tmp_path: Path) -> None:
    text = """
func.func @fib(%y: memref<2xi64> {weft.name = "y", weft.role = "out"}) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:2 = affine.for %i = 0 to 10 iter_args(%a = %zero, %b = %one) -> (i64, i64) {
    %c = arith.addi %a, %b : i64
    affine.yield %b, %c : i64, i64
  }
  affine.store %r#0, %y[0] : memref<2xi64>
  affine.store %r#1, %y[1] : memref<2xi64>
  return
}
"""
    y = run(target, text, "fib", [np.zeros(2, np.int64)], tmp_path)
    np.testing.assert_array_equal(y, [55, 89])


def test_deterministic(target: str) -> None:
    texts = {emit(target, COMPLEX_PRODUCT + SCRATCH + blocks(REVERSAL)).c for _ in range(3)}
    assert len(texts) == 1


def test_comments_hold_no_folder(target: str) -> None:
    assert "/tmp" not in emit(target, SCRATCH).c


def test_unknown_op_is_refused(target: str) -> None:
    text = """
func.func @f(%y: memref<2xi64>) {
  %c = arith.constant 3 : i64
  %p = math.ctpop %c : i64
  affine.store %p, %y[0] : memref<2xi64>
  return
}
"""
    with pytest.raises(_compiler.IrError, match=r"no C form for `math.ctpop`"):
        emit(target, text)


def test_threads_reuse_their_scratch(target: str) -> None:
    """One parallel loop runs at a time: two loops need no more than the larger of them."""
    emitted = emit(target, blocks(REVERSAL + REVERSAL), stack_bytes=256)
    assert emitted.c.count("weft_thread()") == 2
    assert emitted.kernels[0].scratch_bytes == 40 * 512


def test_a_table_and_a_loop_may_have_one_name(target: str, tmp_path: Path) -> None:
    text = COMPLEX_PRODUCT.replace("@product", "@w_1").replace('"y"', '"w"')
    x = np.ones((3, 4, 2))
    assert run(target, text, "w_1", [x, np.zeros((3, 4, 2))], tmp_path).any()
