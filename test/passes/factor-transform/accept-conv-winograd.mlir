// Winograd's algorithm: transforms of tiles and filters, a sum of products over the channels, the
// transform of results; 5 rows are two tiles of two and a half one, with the image grown to it.
// RUN: weft-opt %s --factor-transform --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK:         tensor.empty() : tensor<1x3x8x8xf32>
// CHECK:         %[[X:.*]] = weft.map [0, 0, 0, 0] to [1, 3, 7, 7] init
// CHECK:         %[[TILES:.*]] = weft.map [0, 0, 0, 0, 0, 0] to [1, 3, 3, 3, 4, 4]
// CHECK:           affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>
// CHECK:         weft.winograd_transform %[[TILES]] axis 4 matrix dense<{{\[\[}}1.000000e+00, 0.000000e+00, -1.000000e+00
// CHECK:         %[[V:.*]] = weft.winograd_transform %{{.*}} axis 5
// CHECK:         weft.winograd_transform %arg1 axis 2
// CHECK:         %[[U:.*]] = weft.winograd_transform %{{.*}} axis 3 {{.*}} -> tensor<2x3x4x4xf32>
// CHECK:         %[[P:.*]] = weft.map [0, 0, 0, 0, 0, 0] to [1, 2, 3, 3, 4, 4]
// CHECK:           weft.reduce sum [0] to [3]
// CHECK:             tensor.extract %[[U]]
// CHECK:             tensor.extract %[[V]]
// CHECK:         weft.winograd_transform %[[P]] axis 4
// CHECK:         weft.map [0, 0, 0, 0, 0, 0] to [1, 2, 2, 2, 2, 2] init
// CHECK:         weft.map [0, 0, 0, 0, 2, 0] to [1, 2, 2, 2, 3, 1] init
// CHECK:         weft.map [0, 0, 2, 0, 0, 0] to [1, 2, 3, 1, 2, 2] init
// CHECK:         weft.map [0, 0, 2, 0, 2, 0] to [1, 2, 3, 1, 3, 1] init
func.func @f(%x: tensor<1x3x7x7xf32>, %g: tensor<2x3x3x3xf32>) -> tensor<1x2x5x5xf32> {
  %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "winograd"
    {transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}]}
    : tensor<1x3x7x7xf32>, tensor<2x3x3x3xf32> -> tensor<1x2x5x5xf32>
  return %y : tensor<1x2x5x5xf32>
}
