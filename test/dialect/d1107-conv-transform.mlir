// D1107: a transform brings its three tables.
// RUN: weft-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<1x4x8x8xf32>, %g: tensor<2x4x3x3xf32>) -> tensor<1x2x6x6xf32> {
  // expected-error @below {{[D1107] transform 0: expected a table AT of type 'tensor<2x4xf32>'}}
  %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "auto" {transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<1.0> : tensor<2x3xf32>}]} : tensor<1x4x8x8xf32>, tensor<2x4x3x3xf32> -> tensor<1x2x6x6xf32>
  return %y : tensor<1x2x6x6xf32>
}

// -----

func.func @lengths(%x: tensor<1x4x8x8xf32>, %g: tensor<2x4x3x2xf32>) -> tensor<1x2x6x7xf32> {
  // expected-error @below {{[D1107] transform 0: r is 3, the filters are 3x2}}
  %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "auto" {transforms = [{m = 2 : i64, r = 3 : i64}]} : tensor<1x4x8x8xf32>, tensor<2x4x3x2xf32> -> tensor<1x2x6x7xf32>
  return %y : tensor<1x2x6x7xf32>
}
