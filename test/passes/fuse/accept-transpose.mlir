// A transpose folds into the index of its reader: no pass over memory remains.
// RUN: weft-opt %s --fuse | FileCheck %s

// CHECK-LABEL: func.func @through_transpose
// CHECK:         ^bb0(%[[I:.*]]: index, %[[J:.*]]: index):
// CHECK-NEXT:      tensor.extract %arg0[%[[J]], %[[I]]]
// CHECK-NOT:     weft.transpose
func.func @through_transpose(%x: tensor<4x8xf64>) -> tensor<8x4xf64> {
  %t = weft.transpose %x perm [1, 0] : tensor<4x8xf64> -> tensor<8x4xf64>
  %y = weft.map [0, 0] to [8, 4] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %t[%i, %j] : tensor<8x4xf64>
    %w = arith.negf %v : f64
    weft.yield %w : f64
  } : tensor<8x4xf64>
  return %y : tensor<8x4xf64>
}
