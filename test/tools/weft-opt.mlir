// RUN: weft-opt %s --canonicalize | FileCheck %s
// RUN: not weft-opt %s --no-such-pass 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// CHECK-LABEL: func.func @fold
// CHECK: %[[TWO:.*]] = arith.constant 2.0
// CHECK: return %[[TWO]]
func.func @fold() -> f64 {
  %one = arith.constant 1.0 : f64
  %two = arith.addf %one, %one : f64
  return %two : f64
}

// UNKNOWN: no-such-pass
