// On a core group the algorithms are counted as all cores share them and as main memory moves what
// transforms make: they pay where tiles stay with the cores, or many channels meet many filters, not
// where a core by itself would gain.
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform | FileCheck %s

module attributes {weft.target = #target} {
  // CHECK-LABEL: func.func @few(
  // CHECK-NOT:     weft.winograd_transform
  // CHECK:         weft.reduce sum [0, 0, 0] to [12, 3, 3]
  func.func @few(%x: tensor<1x12x50x50xf32>, %g: tensor<64x12x3x3xf32>) -> tensor<1x64x48x48xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "auto"
      {transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}]}
      : tensor<1x12x50x50xf32>, tensor<64x12x3x3xf32> -> tensor<1x64x48x48xf32>
    return %y : tensor<1x64x48x48xf32>
  }
  // CHECK-LABEL: func.func @kept(
  // CHECK-COUNT-6: weft.winograd_transform
  func.func @kept(%x: tensor<1x64x50x50xf32>, %g: tensor<64x64x3x3xf32>) -> tensor<1x64x48x48xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "auto"
      {transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}]}
      : tensor<1x64x50x50xf32>, tensor<64x64x3x3xf32> -> tensor<1x64x48x48xf32>
    return %y : tensor<1x64x48x48xf32>
  }
  // CHECK-LABEL: func.func @many(
  // CHECK-COUNT-6: weft.winograd_transform
  func.func @many(%x: tensor<4x512x16x16xf32>, %g: tensor<2048x512x3x3xf32>) -> tensor<4x2048x14x14xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "auto"
      {transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}]}
      : tensor<4x512x16x16xf32>, tensor<2048x512x3x3xf32> -> tensor<4x2048x14x14xf32>
    return %y : tensor<4x2048x14x14xf32>
  }
}
