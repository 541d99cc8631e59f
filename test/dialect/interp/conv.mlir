// RUN: weft-interp %s | FileCheck %s

// CHECK: result0: float64[1, 1, 2, 2] = {{\[\[\[\[}}10, 10], [10, 10]]]]
// CHECK-NEXT: result1: float64[1, 2, 1, 2] = {{\[\[\[\[}}1, 2]], {{\[\[}}30, 40]]]]
func.func @f() -> (tensor<1x1x2x2xf64>, tensor<1x2x1x2xf64>) {
  %x = weft.table dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf64>
  %ones = weft.table dense<1.0> : tensor<1x1x3x3xf64>
  %y = weft.conv %x, %ones pad [1, 1] stride [1, 1] groups 1 algorithm "direct"
    : tensor<1x1x2x2xf64>, tensor<1x1x3x3xf64> -> tensor<1x1x2x2xf64>
  // Two groups: each filter sees its own channel.
  %c = weft.table dense<[[[[1.0, 2.0]], [[3.0, 4.0]]]]> : tensor<1x2x1x2xf64>
  %g = weft.table dense<[[[[1.0]]], [[[10.0]]]]> : tensor<2x1x1x1xf64>
  %z = weft.conv %c, %g pad [0, 0] stride [1, 1] groups 2 algorithm "direct"
    : tensor<1x2x1x2xf64>, tensor<2x1x1x1xf64> -> tensor<1x2x1x2xf64>
  return %y, %z : tensor<1x1x2x2xf64>, tensor<1x2x1x2xf64>
}
