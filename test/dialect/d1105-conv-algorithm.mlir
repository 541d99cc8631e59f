// D1105: winograd comes with one transform.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<1x4x8x8xf32>, %g: tensor<2x4x3x3xf32>) -> tensor<1x2x6x6xf32> {
  // expected-error @below {{[D1105] algorithm is "winograd" with 0 transforms: expected direct, winograd (with one) or auto}}
  %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "winograd" : tensor<1x4x8x8xf32>, tensor<2x4x3x3xf32> -> tensor<1x2x6x6xf32>
  return %y : tensor<1x2x6x6xf32>
}
