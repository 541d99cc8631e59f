// D1003: the rows of the matrix take the place of the extent of the axis.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<4x3xf32>) -> tensor<2x3xf32> {
  // expected-error @below {{[D1003] expected the result 'tensor<4x2xf32>', found 'tensor<2x3xf32>'}}
  %y = weft.winograd_transform %x axis 1 matrix dense<1.0> : tensor<2x3xf32> : tensor<4x3xf32> -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
