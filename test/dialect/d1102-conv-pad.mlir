// D1102: pads are not below 0, strides are positive.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<1x4x8x8xf32>, %g: tensor<2x4x3x3xf32>) -> tensor<1x2x6x4xf32> {
  // expected-error @below {{[D1102] expected 2 pads not below 0 and as many positive strides, found [0, -1] and [1, 1]}}
  %y = weft.conv %x, %g pad [0, -1] stride [1, 1] groups 1 algorithm "direct" : tensor<1x4x8x8xf32>, tensor<2x4x3x3xf32> -> tensor<1x2x6x4xf32>
  return %y : tensor<1x2x6x4xf32>
}
