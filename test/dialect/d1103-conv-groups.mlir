// D1103: groups divide channels and filters.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<1x4x8x8xf32>, %g: tensor<2x4x3x3xf32>) -> tensor<1x2x6x6xf32> {
  // expected-error @below {{[D1103] 2 groups of 4 channels and 2 filters of 4 channels: groups must divide both}}
  %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 2 algorithm "direct" : tensor<1x4x8x8xf32>, tensor<2x4x3x3xf32> -> tensor<1x2x6x6xf32>
  return %y : tensor<1x2x6x6xf32>
}
