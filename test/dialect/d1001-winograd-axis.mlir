// D1001: the axis of a Winograd transform lies in the rank.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<4x3xf32>) -> tensor<4x2xf32> {
  // expected-error @below {{[D1001] axis 2 is outside of the input: expected 0 to 1}}
  %y = weft.winograd_transform %x axis 2 matrix dense<1.0> : tensor<2x3xf32> : tensor<4x3xf32> -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
