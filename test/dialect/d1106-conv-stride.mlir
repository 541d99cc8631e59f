// D1106: a convolution by transforms has one stride where filters are longer than one element.
// RUN: weft-opt %s -split-input-file -verify-diagnostics

func.func @two(%x: tensor<1x4x9x9xf32>, %g: tensor<2x4x3x3xf32>) -> tensor<1x2x4x7xf32> {
  // expected-error @below {{[D1106] transforms need one stride along all dimensions in which filters have more than one element, and 1 along others, found [2, 1]}}
  %y = weft.conv %x, %g pad [0, 0] stride [2, 1] groups 1 algorithm "auto" {transforms = [{}]} : tensor<1x4x9x9xf32>, tensor<2x4x3x3xf32> -> tensor<1x2x4x7xf32>
  return %y : tensor<1x2x4x7xf32>
}

// -----

func.func @along_others(%x: tensor<1x4x9x9xf32>, %g: tensor<2x4x1x3xf32>) -> tensor<1x2x5x4xf32> {
  // expected-error @below {{[D1106] transforms need one stride}}
  %y = weft.conv %x, %g pad [0, 0] stride [2, 2] groups 1 algorithm "auto" {transforms = [{}]} : tensor<1x4x9x9xf32>, tensor<2x4x1x3xf32> -> tensor<1x2x5x4xf32>
  return %y : tensor<1x2x5x4xf32>
}
