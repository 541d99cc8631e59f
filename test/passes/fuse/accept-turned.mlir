// Elementwise work behind a stage that stores in another order: it goes into the stores of the stage, and
// what is left only turns, which the stage may do later. Not where it reads more than rows beside.
// RUN: weft-opt %s --fuse | FileCheck %s
// RUN: weft-opt %s --fuse --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}What="'y' is turned behind its work", Why="the work then goes into the stores of 'a'"

// CHECK-LABEL: func.func @row
// CHECK:         %[[A:.*]] = weft.map [0, 0] to [4, 4]
// CHECK-COUNT-2:   arith.mulf
// CHECK:         weft.map [0, 0] to [4, 8]
// CHECK-NEXT:    ^bb0(%[[I:.*]]: index, %[[J:.*]]: index):
// CHECK-NEXT:      %[[V:.*]] = tensor.extract %[[A]][%[[J]], %[[I]]]
// CHECK-NEXT:      weft.yield %[[V]]
// CHECK-LABEL: func.func @part
// CHECK:         weft.map [0, 0] to [4, 3]
// CHECK:           arith.mulf
func.func @row(%x: tensor<8x4xf64>, %w: tensor<8xf64>) -> tensor<4x8xf64> {
  %a = weft.map [0, 0] to [4, 4] stores [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i + 4, j)>] attributes {weft.lines = 0 : i64} {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %x[%i, %j] : tensor<8x4xf64>
    %p = arith.addf %v, %v : f64
    weft.yield %v, %p : f64, f64
  } : tensor<8x4xf64> loc("a")
  %y = weft.map [0, 0] to [4, 8] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %a[%j, %i] : tensor<8x4xf64>
    %u = tensor.extract %w[%j] : tensor<8xf64>
    %s = arith.mulf %v, %u : f64
    weft.yield %s : f64
  } : tensor<4x8xf64> loc("y")
  return %y : tensor<4x8xf64>
}
func.func @part(%x: tensor<8x4xf64>, %w: tensor<3xf64>) -> tensor<4x3xf64> {
  %a = weft.map [0, 0] to [4, 4] stores [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i + 4, j)>] attributes {weft.lines = 0 : i64} {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %x[%i, %j] : tensor<8x4xf64>
    %p = arith.addf %v, %v : f64
    weft.yield %v, %p : f64, f64
  } : tensor<8x4xf64> loc("a")
  %y = weft.map [0, 0] to [4, 3] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %a[%j, %i] : tensor<8x4xf64>
    %u = tensor.extract %w[%j] : tensor<3xf64>
    %s = arith.mulf %v, %u : f64
    weft.yield %s : f64
  } : tensor<4x3xf64> loc("y")
  return %y : tensor<4x3xf64>
}
