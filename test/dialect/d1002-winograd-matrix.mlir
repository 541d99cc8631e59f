// D1002: the matrix has a column for each element along the axis, and the real element type.
// RUN: weft-opt %s -split-input-file -verify-diagnostics

func.func @columns(%x: tensor<4x3xf32>) -> tensor<4x2xf32> {
  // expected-error @below {{[D1002] expected a matrix of 'f32' with 3 columns, found 'tensor<2x4xf32>'}}
  %y = weft.winograd_transform %x axis 1 matrix dense<1.0> : tensor<2x4xf32> : tensor<4x3xf32> -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

func.func @element(%x: tensor<4x3xf32>) -> tensor<4x2xf32> {
  // expected-error @below {{[D1002] expected a matrix of 'f32' with 3 columns, found 'tensor<2x3xf64>'}}
  %y = weft.winograd_transform %x axis 1 matrix dense<1.0> : tensor<2x3xf64> : tensor<4x3xf32> -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
