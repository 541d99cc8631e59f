// A sum along contiguous data may be taken in lanes; one along a column has its lanes around it.
// RUN: cat %target_avx512 %s | weft-opt - --lower-to-loops --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @row_sum
// CHECK:         affine.for %[[I:.*]] = 0 to 4 {
// CHECK:           affine.for %[[J:.*]] = 0 to 64 iter_args
// CHECK:           } {weft.lane, weft.reassociate}
// CHECK:         } {weft.independent}
// CHECK-LABEL: func.func @column_sum
// CHECK:         affine.for %{{.*}} = 0 to 64 {
// CHECK:           affine.for %{{.*}} = 0 to 4 iter_args
// CHECK-NOT:       weft.reassociate
// CHECK:         } {weft.independent, weft.lane}
module attributes {weft.target = #target} {
  func.func @row_sum(%x: tensor<4x64xf64>) -> tensor<4xf64> {
    %y = weft.map [0] to [4] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %s = weft.reduce sum [0] to [64] {
      ^bb0(%j: index):
        %e = tensor.extract %x[%i, %j] : tensor<4x64xf64>
        weft.yield %e : f64
      } : f64
      weft.yield %s : f64
    } : tensor<4xf64>
    return %y : tensor<4xf64>
  }
  func.func @column_sum(%x: tensor<4x64xf64>) -> tensor<64xf64> {
    %y = weft.map [0] to [64] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %s = weft.reduce sum [0] to [4] {
      ^bb0(%j: index):
        %e = tensor.extract %x[%j, %i] : tensor<4x64xf64>
        weft.yield %e : f64
      } : f64
      weft.yield %s : f64
    } : tensor<64xf64>
    return %y : tensor<64xf64>
  }
}
