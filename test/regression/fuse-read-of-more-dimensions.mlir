// RUN: weft-opt %s --fuse | FileCheck %s

// The map behind has fewer dimensions than what it reads: it is no rework point by point.
// CHECK-LABEL: func.func @one_row
// CHECK:       %[[SUMS:.*]] = weft.map [0] to [9]
// CHECK:       weft.map [] to []
// CHECK:       tensor.extract %[[SUMS]][%c4]
func.func @one_row(%x: tensor<9x9xf32>) -> tensor<f32> {
  %c4 = arith.constant 4 : index
  %sums = weft.map [0] to [9] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %sum = weft.reduce sum [0] to [9] {
    ^bb0(%j: index):
      %e = tensor.extract %x[%j, %i] : tensor<9x9xf32>
      weft.yield %e : f32
    } : f32
    weft.yield %sum : f32
  } : tensor<9xf32>
  %y = weft.map [] to [] stores [affine_map<() -> ()>] {
    %s = tensor.extract %sums[%c4] : tensor<9xf32>
    weft.yield %s : f32
  } : tensor<f32>
  return %y : tensor<f32>
}
