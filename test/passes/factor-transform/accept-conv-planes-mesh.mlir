// Cores of a mesh pass rows of pixels on as messages: images with channels last, or in blocks of 16,
// are turned into planes before, in a pass that stays one (weft.sorted), and the results back behind.
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform | FileCheck %s

module attributes {weft.target = #target} {
  // CHECK-LABEL: func.func @last(
  // CHECK:         %[[X:.*]] = weft.transpose %arg0 perm [0, 3, 1, 2] {weft.sorted} : tensor<1x16x16x64xf32>
  // CHECK:         weft.reduce sum [0, 0, 0] to [64, 3, 3]
  // CHECK:         weft.transpose %{{.*}} perm [0, 2, 3, 1] : tensor<1x64x16x16xf32>
  func.func @last(%x: tensor<1x16x16x64xf32>, %g: tensor<64x64x3x3xf32>) -> tensor<1x16x16x64xf32> {
    %y = weft.conv %x, %g pad [1, 1] stride [1, 1] groups 1 algorithm "direct" {layout = "nhwc", out_layout = "nhwc"}
      : tensor<1x16x16x64xf32>, tensor<64x64x3x3xf32> -> tensor<1x16x16x64xf32>
    return %y : tensor<1x16x16x64xf32>
  }
  // CHECK-LABEL: func.func @blocks(
  // CHECK:         %[[X:.*]] = weft.transpose %arg0 perm [0, 1, 4, 2, 3] {weft.sorted} : tensor<1x4x16x16x16xf32>
  // CHECK:         weft.reshape %[[X]] : tensor<1x4x16x16x16xf32> -> tensor<1x64x16x16xf32>
  // CHECK:         weft.reduce sum [0, 0, 0] to [64, 3, 3]
  // CHECK:         weft.transpose %{{.*}} perm [0, 1, 3, 4, 2] : tensor<1x2x16x16x16xf32>
  func.func @blocks(%x: tensor<1x4x16x16x16xf32>, %g: tensor<32x64x3x3xf32>) -> tensor<1x2x16x16x16xf32> {
    %y = weft.conv %x, %g pad [1, 1] stride [1, 1] groups 1 algorithm "direct" {layout = "nchw16c", out_layout = "nchw16c"}
      : tensor<1x4x16x16x16xf32>, tensor<32x64x3x3xf32> -> tensor<1x2x16x16x16xf32>
    return %y : tensor<1x2x16x16x16xf32>
  }
}
