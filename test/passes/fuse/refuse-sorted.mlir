// A copy that brings pixels together for vectors stays one, though it only moves elements: every
// second pixel is no vector where it lies.
// RUN: weft-opt %s --fuse --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s

// CHECK: rejected {{.*}}it brings pixels together: where they lie they are no vectors
// CHECK-LABEL: func.func @strided
// CHECK:         %[[SORTED:.*]] = weft.map [0, 0, 0] to [3, 2, 8]
// CHECK:         weft.map [0, 0] to [4, 6]
// CHECK:           tensor.extract %[[SORTED]]
func.func @strided(%x: tensor<3x16xf32>, %g: tensor<4x3x3xf32>) -> tensor<4x6xf32> {
  %sorted = weft.map [0, 0, 0] to [3, 2, 8] stores [affine_map<(c, r, i) -> (c, r, i)>] attributes {weft.sorted} {
  ^bb0(%c: index, %r: index, %i: index):
    %p = affine.apply affine_map<(i, r) -> (i * 2 + r)>(%i, %r)
    %e = tensor.extract %x[%c, %p] : tensor<3x16xf32>
    weft.yield %e : f32
  } : tensor<3x2x8xf32>
  %y = weft.map [0, 0] to [4, 6] stores [affine_map<(k, i) -> (k, i)>] {
  ^bb0(%k: index, %i: index):
    %sum = weft.reduce sum [0, 0] to [3, 3] {
    ^bb0(%c: index, %t: index):
      %r = affine.apply affine_map<(t) -> (t mod 2)>(%t)
      %p = affine.apply affine_map<(i, t) -> (i + t floordiv 2)>(%i, %t)
      %a = tensor.extract %sorted[%c, %r, %p] : tensor<3x2x8xf32>
      %b = tensor.extract %g[%k, %c, %t] : tensor<4x3x3xf32>
      %product = arith.mulf %a, %b : f32
      weft.yield %product : f32
    } : f32
    weft.yield %sum : f32
  } : tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}
