// Loops with carried values, bounds that are minima, branches, calls.
// RUN: weft-interp %s | FileCheck %s

// CHECK: result0: int64 = 10
// CHECK-NEXT: result1: int64 = 3
// CHECK-NEXT: result2: int64 = 42
func.func @f() -> (i64, i64, i64) {
  %zero = arith.constant 0 : i64
  %sum = affine.for %i = 0 to 5 iter_args(%before = %zero) -> i64 {
    %n = arith.index_cast %i : index to i64
    %after = arith.addi %before, %n : i64
    affine.yield %after : i64
  }
  %lower = arith.constant 0 : index
  %seven = arith.constant 7 : index
  %step = arith.constant 2 : index
  %one = arith.constant 1 : i64
  // 0, 2 and 4: the bound is min(7, 7 - 2).
  %trips = affine.for %i = 0 to min affine_map<(n) -> (n, n - 2)>(%seven) step 2 iter_args(%t = %zero) -> i64 {
    %next = arith.addi %t, %one : i64
    affine.yield %next : i64
  }
  %held = scf.for %i = %lower to %seven step %step iter_args(%t = %zero) -> i64 {
    %is_last = arith.cmpi eq, %i, %lower : index
    %next = scf.if %is_last -> i64 {
      %started = func.call @forty(%t) : (i64) -> i64
      scf.yield %started : i64
    } else {
      scf.yield %t : i64
    }
    scf.yield %next : i64
  }
  %two = arith.constant 2 : i64
  %answer = arith.addi %held, %two : i64
  return %sum, %trips, %answer : i64, i64, i64
}

func.func private @forty(%t: i64) -> i64 {
  %forty = arith.constant 40 : i64
  %s = arith.addi %t, %forty : i64
  return %s : i64
}
