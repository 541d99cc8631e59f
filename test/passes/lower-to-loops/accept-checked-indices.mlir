// The check stands before the loop that reads at the indices; its sign bits gather in one value.
// RUN: cat %target_portable %s | weft-opt - --lower-to-loops | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK-DAG: %[[LAST:.*]] = arith.constant 15 : i64
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK: %[[SEEN:.*]] = affine.for %[[I:.*]] = 0 to 8 iter_args(%[[BEFORE:.*]] = %[[ZERO]])
// CHECK:   %[[K:.*]] = affine.load %{{.*}}[%[[I]]]
// CHECK:   %[[ABOVE:.*]] = arith.subi %[[LAST]], %[[K]]
// CHECK:   %[[OUTSIDE:.*]] = arith.ori %[[K]], %[[ABOVE]]
// CHECK:   arith.ori %[[BEFORE]], %[[OUTSIDE]]
// CHECK: } {weft.lane, weft.reassociate}
// CHECK: %[[BAD:.*]] = arith.cmpi slt, %[[SEEN]], %[[ZERO]]
// CHECK: weft.fail_if %[[BAD]] code 1
// CHECK: affine.for
// CHECK: memref.load
module attributes {weft.target = #target} {
func.func @f(%x: tensor<16x4xf64>, %idx: tensor<8xi64>) -> tensor<8x4xf64> {
  %safe = weft.checked_indices %idx below 16 code 1 : tensor<8xi64>
  %y = weft.map [0, 0] to [8, 4] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %k = tensor.extract %safe[%i] : tensor<8xi64>
    %row = arith.index_cast %k : i64 to index
    %e = tensor.extract %x[%row, %j] : tensor<16x4xf64>
    weft.yield %e : f64
  } : tensor<8x4xf64>
  return %y : tensor<8x4xf64>
}
}
