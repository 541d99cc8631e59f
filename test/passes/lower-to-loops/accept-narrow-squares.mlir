// Where vectors may be masked, a row shorter than one goes by squares as well; not if it is a part
// of a longer row, as those of a plane that is copied as a whole, nor if it has few elements.
// RUN: cat %target_avx512 %s | weft-opt - --lower-to-loops | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: @bordered
// CHECK:       affine.for %{{.*}} = 1 to 15 {
// CHECK:         affine.for %{{.*}} = 1 to 15 {
// CHECK:           affine.for %{{.*}} = 0 to 32 {
// CHECK:           } {weft.independent, weft.lane}
// CHECK:         } {weft.independent, weft.transpose}
func.func @bordered(%x: tensor<32x14x14xf32>, %init: tensor<16x16x32xf32>) -> tensor<16x16x32xf32> {
  %y = weft.map [0, 1, 1] to [32, 15, 15] init(%init : tensor<16x16x32xf32>) stores [affine_map<(c, i, j) -> (i, j, c)>] {
  ^bb0(%c: index, %i: index, %j: index):
    %row = affine.apply affine_map<(i) -> (i - 1)>(%i)
    %column = affine.apply affine_map<(j) -> (j - 1)>(%j)
    %e = tensor.extract %x[%c, %row, %column] : tensor<32x14x14xf32>
    weft.yield %e : f32
  } : tensor<16x16x32xf32>
  return %y : tensor<16x16x32xf32>
}
// CHECK-LABEL: @whole
// CHECK-NOT:   weft.transpose
// CHECK:       return
func.func @whole(%x: tensor<32x14x14xf32>) -> tensor<14x14x32xf32> {
  %y = weft.map [0, 0, 0] to [32, 14, 14] stores [affine_map<(c, i, j) -> (i, j, c)>] {
  ^bb0(%c: index, %i: index, %j: index):
    %e = tensor.extract %x[%c, %i, %j] : tensor<32x14x14xf32>
    weft.yield %e : f32
  } : tensor<14x14x32xf32>
  return %y : tensor<14x14x32xf32>
}
// CHECK-LABEL: @five
// CHECK-NOT:   weft.transpose
// CHECK:       return
func.func @five(%x: tensor<32x5xf32>) -> tensor<5x32xf32> {
  %y = weft.map [0, 0] to [32, 5] stores [affine_map<(c, j) -> (j, c)>] {
  ^bb0(%c: index, %j: index):
    %e = tensor.extract %x[%c, %j] : tensor<32x5xf32>
    weft.yield %e : f32
  } : tensor<5x32xf32>
  return %y : tensor<5x32xf32>
}
}
