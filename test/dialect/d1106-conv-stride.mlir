// D1106: a convolution by transforms has stride 1.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<1x4x9x9xf32>, %g: tensor<2x4x3x3xf32>) -> tensor<1x2x4x4xf32> {
  // expected-error @below {{[D1106] transforms need stride 1, found [2, 2]}}
  %y = weft.conv %x, %g pad [0, 0] stride [2, 2] groups 1 algorithm "auto" {transforms = [{}]} : tensor<1x4x9x9xf32>, tensor<2x4x3x3xf32> -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}
