// Complex elements are pairs of reals in memory; the contiguous loop is the lane.
// RUN: cat %target_avx512 %s | weft-opt - --lower-to-loops | FileCheck %s

// CHECK-LABEL: func.func @swap(
// CHECK-SAME:    memref<4x16x2xf64> {weft.name = "x", weft.role = "in"}
// CHECK-SAME:    memref<4x16x2xf64> {weft.name = "y", weft.role = "out"}
// CHECK:         affine.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT:      affine.for %[[J:.*]] = 0 to 16 {
// CHECK-NEXT:        %[[RE:.*]] = affine.load %arg0[%[[I]], %[[J]], 0]
// CHECK-NEXT:        %[[IM:.*]] = affine.load %arg0[%[[I]], %[[J]], 1]
// CHECK-NEXT:        affine.store %[[IM]], %arg1[%[[I]], %[[J]], 0]
// CHECK-NEXT:        affine.store %[[RE]], %arg1[%[[I]], %[[J]], 1]
// CHECK-NEXT:      } {weft.independent, weft.lane}
// CHECK-NEXT:    } {weft.independent}
module attributes {weft.target = #target} {
func.func @swap(%x: tensor<4x16xcomplex<f64>> {weft.name = "x"}) -> (tensor<4x16xcomplex<f64>> {weft.name = "y"}) {
  %y = weft.map [0, 0] to [4, 16] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %x[%i, %j] : tensor<4x16xcomplex<f64>>
    %re = complex.re %v : complex<f64>
    %im = complex.im %v : complex<f64>
    %w = complex.create %im, %re : complex<f64>
    weft.yield %w : complex<f64>
  } : tensor<4x16xcomplex<f64>>
  return %y : tensor<4x16xcomplex<f64>>
}
}
