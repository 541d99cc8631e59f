// The direct sum: images with a border of zeros, strides in the reads; groups are a dimension.
// RUN: weft-opt %s --factor-transform --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @padded(
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<1x4x10x10xf32>
// CHECK:         weft.map [0, 0, 0, 0] to [1, 4, 1, 10] init
// CHECK:         weft.map [0, 0, 9, 0] to [1, 4, 10, 10] init
// CHECK:         weft.map [0, 0, 1, 0] to [1, 4, 9, 1] init
// CHECK:         weft.map [0, 0, 1, 9] to [1, 4, 9, 10] init
// CHECK:         %[[X:.*]] = weft.map [0, 0, 1, 1] to [1, 4, 9, 9] init
// CHECK:         weft.map [0, 0, 0, 0] to [1, 2, 4, 4]
// CHECK:           weft.reduce sum [0, 0, 0] to [4, 3, 3]
// CHECK:             affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>
func.func @padded(%x: tensor<1x4x8x8xf32>, %g: tensor<2x4x3x3xf32>) -> tensor<1x2x4x4xf32> {
  %y = weft.conv %x, %g pad [1, 1] stride [2, 2] groups 1 algorithm "direct" : tensor<1x4x8x8xf32>, tensor<2x4x3x3xf32> -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: func.func @groups(
// CHECK:         weft.reshape %{{.*}} : tensor<1x4x8x8xcomplex<f32>> -> tensor<1x2x2x8x8xcomplex<f32>>
// CHECK:         weft.reshape %{{.*}} : tensor<6x2x3x3xcomplex<f32>> -> tensor<2x3x2x3x3xcomplex<f32>>
// CHECK:         weft.map [0, 0, 0, 0, 0] to [1, 2, 3, 6, 6]
// CHECK:           weft.reduce sum [0, 0, 0] to [2, 3, 3]
// CHECK:             complex.mul
// CHECK:         weft.reshape %{{.*}} -> tensor<1x6x6x6xcomplex<f32>>
func.func @groups(%x: tensor<1x4x8x8xcomplex<f32>>, %g: tensor<6x2x3x3xcomplex<f32>>) -> tensor<1x6x6x6xcomplex<f32>> {
  %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 2 algorithm "direct" : tensor<1x4x8x8xcomplex<f32>>, tensor<6x2x3x3xcomplex<f32>> -> tensor<1x6x6x6xcomplex<f32>>
  return %y : tensor<1x6x6x6xcomplex<f32>>
}
