// A reduction is a loop that carries its value, in row-major order.
// RUN: cat %target_avx512 %s | weft-opt - --lower-to-loops --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @column_sum
// CHECK:         affine.for %[[J:.*]] = 0 to 8 {
// CHECK-NEXT:      %[[SUM:.*]] = affine.for %[[I:.*]] = 0 to 4 iter_args(%[[S:.*]] = %{{.*}}) -> (f64) {
// CHECK-NEXT:        %[[V:.*]] = affine.load %arg0[%[[I]], %[[J]]]
// CHECK-NEXT:        %[[T:.*]] = arith.addf %[[S]], %[[V]]
// CHECK-NEXT:        affine.yield %[[T]]
// CHECK:           affine.store %[[SUM]], %arg1[%[[J]]]
// CHECK-NEXT:    } {weft.independent, weft.lane}
module attributes {weft.target = #target} {
func.func @column_sum(%x: tensor<4x8xf64>) -> tensor<8xf64> {
  %y = weft.map [0] to [8] stores [affine_map<(j) -> (j)>] {
  ^bb0(%j: index):
    %s = weft.reduce sum [0] to [4] {
    ^bb0(%i: index):
      %v = tensor.extract %x[%i, %j] : tensor<4x8xf64>
      weft.yield %v : f64
    } : f64
    weft.yield %s : f64
  } : tensor<8xf64>
  return %y : tensor<8xf64>
}
}
