// A sum that reads its data backwards as well as forwards is taken in any order on the cores, too: they
// share it in blocks. One across rows is not, there.
// RUN: cat %target_sw26010 %s | weft-opt - --lower-to-loops --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @both_ways
// CHECK:         affine.for %{{.*}} = 0 to 64 iter_args
// CHECK:           } {weft.reassociate}
// CHECK-LABEL: func.func @across
// CHECK:         affine.for %{{.*}} = 0 to 4 iter_args
// CHECK-NOT:     weft.reassociate
module attributes {weft.target = #target} {
  func.func @both_ways(%x: tensor<2x64xf64>) -> tensor<2xf64> {
    %y = weft.map [0] to [2] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %s = weft.reduce sum [0] to [64] {
      ^bb0(%j: index):
        %k = affine.apply affine_map<(d0) -> (63 - d0)>(%j)
        %e = tensor.extract %x[%i, %j] : tensor<2x64xf64>
        %f = tensor.extract %x[%i, %k] : tensor<2x64xf64>
        %p = arith.mulf %e, %f : f64
        weft.yield %p : f64
      } : f64
      weft.yield %s : f64
    } : tensor<2xf64>
    return %y : tensor<2xf64>
  }
  func.func @across(%x: tensor<4x2xf64>) -> tensor<2xf64> {
    %y = weft.map [0] to [2] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %s = weft.reduce sum [0] to [4] {
      ^bb0(%j: index):
        %k = affine.apply affine_map<(d0) -> (3 - d0)>(%j)
        %e = tensor.extract %x[%k, %i] : tensor<4x2xf64>
        weft.yield %e : f64
      } : f64
      weft.yield %s : f64
    } : tensor<2xf64>
    return %y : tensor<2xf64>
  }
}
