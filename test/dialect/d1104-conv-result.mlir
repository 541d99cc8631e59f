// D1104: the result's shape follows from pad and stride.
// RUN: weft-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<1x4x8x8xf32>, %g: tensor<2x4x3x3xf32>) -> tensor<1x2x8x8xf32> {
  // expected-error @below {{[D1104] expected a result of 1x2x4x8 in nchw, found 'tensor<1x2x8x8xf32>'}}
  %y = weft.conv %x, %g pad [1, 1] stride [2, 1] groups 1 algorithm "direct" : tensor<1x4x8x8xf32>, tensor<2x4x3x3xf32> -> tensor<1x2x8x8xf32>
  return %y : tensor<1x2x8x8xf32>
}

// -----

func.func @channels_last(%x: tensor<1x4x8x8xf32>, %g: tensor<2x4x3x3xf32>) -> tensor<1x2x8x8xf32> {
  // expected-error @below {{[D1104] expected a result of 1x2x8x8 in nhwc, found 'tensor<1x2x8x8xf32>'}}
  %y = weft.conv %x, %g pad [1, 1] stride [1, 1] groups 1 algorithm "direct" {out_layout = "nhwc"} : tensor<1x4x8x8xf32>, tensor<2x4x3x3xf32> -> tensor<1x2x8x8xf32>
  return %y : tensor<1x2x8x8xf32>
}
