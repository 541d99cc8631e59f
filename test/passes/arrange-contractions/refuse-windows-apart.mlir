// Taps that go backwards in the image are no stretch of it that cores could pass on: each core keeps its panels.
// RUN: cat %target_sw26010 %s | weft-opt - --arrange-contractions --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s

// CHECK: rejected {{.*}}its sums over windows for all cores together", Why="the taps of a filter do not lie side by side in memory, or go backwards in the image"
// CHECK: decided {{.*}}windows of 288 terms in panels of
module attributes {weft.target = #target} {
func.func @flipped(%x: tensor<32x18x18xf32>, %g: tensor<32x32x3x3xf32>) -> tensor<32x16x16xf32> {
  %y = weft.map [0, 0, 0] to [32, 16, 16] stores [affine_map<(k, i, j) -> (k, i, j)>] {
  ^bb0(%k: index, %i: index, %j: index):
    %sum = weft.reduce sum [0, 0, 0] to [32, 3, 3] {
    ^bb0(%c: index, %a: index, %b: index):
      %row = affine.apply affine_map<(i, a) -> (i + 2 - a)>(%i, %a)
      %column = affine.apply affine_map<(j, b) -> (j + 2 - b)>(%j, %b)
      %f = tensor.extract %g[%k, %c, %a, %b] : tensor<32x32x3x3xf32>
      %v = tensor.extract %x[%c, %row, %column] : tensor<32x18x18xf32>
      %fv = arith.mulf %f, %v : f32
      weft.yield %fv : f32
    } : f32
    weft.yield %sum : f32
  } : tensor<32x16x16xf32>
  return %y : tensor<32x16x16xf32>
}
}
