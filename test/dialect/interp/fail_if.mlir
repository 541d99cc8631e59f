// RUN: weft-interp %s --input 'dense<false> : tensor<i1>' | FileCheck %s
// RUN: not weft-interp %s --input 'dense<true> : tensor<i1>' 2>&1 | FileCheck %s --check-prefix=FAILS

// CHECK: result0: int64 = 5
// FAILS: weft-interp: the kernel returned 3
func.func @f(%stop: i1) -> i64 {
  weft.fail_if %stop code 3
  %five = arith.constant 5 : i64
  return %five : i64
}
