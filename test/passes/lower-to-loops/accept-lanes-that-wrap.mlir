// A remainder that steps once along a dimension is no reason against lanes there; one that steps
// often, or of two dimensions together, is. A dimension and the terms of a short sum together step
// once as well, those of a long one may step often.
// RUN: cat %target_avx512 %s | weft-opt - --lower-to-loops | FileCheck %s

// CHECK-LABEL: func.func @rolled
// CHECK:         affine.for %{{.*}} = 0 to 4 {
// CHECK:           affine.for %{{.*}} = 0 to 64 {
// CHECK:           } {weft.independent, weft.lane}
// CHECK-LABEL: func.func @often
// CHECK-NOT:     weft.lane
// CHECK-LABEL: func.func @of_both
// CHECK-NOT:     weft.lane
// CHECK-LABEL: func.func @window
// CHECK:         } {weft.independent, weft.lane}
// CHECK-LABEL: func.func @long_window
// CHECK-NOT:     weft.lane
module attributes {weft.target = #target} {
  func.func @rolled(%x: tensor<4x64xf64>) -> tensor<4x64xf64> {
    %y = weft.map [0, 0] to [4, 64] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %k = affine.apply affine_map<(j) -> ((j - 20) mod 64)>(%j)
      %e = tensor.extract %x[%i, %k] : tensor<4x64xf64>
      weft.yield %e : f64
    } : tensor<4x64xf64>
    return %y : tensor<4x64xf64>
  }
  func.func @often(%x: tensor<4x16xf64>) -> tensor<4x64xf64> {
    %y = weft.map [0, 0] to [4, 64] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %k = affine.apply affine_map<(j) -> ((j - 20) mod 16)>(%j)
      %e = tensor.extract %x[%i, %k] : tensor<4x16xf64>
      weft.yield %e : f64
    } : tensor<4x64xf64>
    return %y : tensor<4x64xf64>
  }
  func.func @of_both(%x: tensor<4x64xf64>) -> tensor<4x64xf64> {
    %y = weft.map [0, 0] to [4, 64] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %k = affine.apply affine_map<(i, j) -> ((i + j) mod 64)>(%i, %j)
      %e = tensor.extract %x[%i, %k] : tensor<4x64xf64>
      weft.yield %e : f64
    } : tensor<4x64xf64>
    return %y : tensor<4x64xf64>
  }
  func.func @window(%x: tensor<4x64xf64>) -> tensor<4x64xf64> {
    %y = weft.map [0, 0] to [4, 64] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %s = weft.reduce sum [0] to [5] {
      ^bb0(%a: index):
        %k = affine.apply affine_map<(j, a) -> ((j + a) mod 64)>(%j, %a)
        %e = tensor.extract %x[%i, %k] : tensor<4x64xf64>
        weft.yield %e : f64
      } : f64
      weft.yield %s : f64
    } : tensor<4x64xf64>
    return %y : tensor<4x64xf64>
  }
  func.func @long_window(%x: tensor<4x64xf64>) -> tensor<4x64xf64> {
    %y = weft.map [0, 0] to [4, 64] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %s = weft.reduce sum [0] to [200] {
      ^bb0(%a: index):
        %k = affine.apply affine_map<(j, a) -> ((j + a) mod 64)>(%j, %a)
        %e = tensor.extract %x[%i, %k] : tensor<4x64xf64>
        weft.yield %e : f64
      } : f64
      weft.yield %s : f64
    } : tensor<4x64xf64>
    return %y : tensor<4x64xf64>
  }
}
