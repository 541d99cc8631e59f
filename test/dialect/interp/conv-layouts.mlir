// Channels behind rows, of images and of results.
// RUN: weft-interp %s | FileCheck %s

// CHECK: result0: float64[1, 1, 2, 2] = {{\[\[\[\[}}101, 202], [303, 404]]]]
// CHECK-NEXT: result1: float64[1, 1, 1, 2, 16] = {{.*}}10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 30], [20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 60]]]]]
func.func @f() -> (tensor<1x1x2x2xf64>, tensor<1x1x1x2x16xf64>) {
  %x = weft.table dense<[[[[1.0, 100.0], [2.0, 200.0]], [[3.0, 300.0], [4.0, 400.0]]]]> : tensor<1x2x2x2xf64>
  %ones = weft.table dense<1.0> : tensor<1x2x1x1xf64>
  %y = weft.conv %x, %ones pad [0, 0] stride [1, 1] groups 1 algorithm "direct" {layout = "nhwc"}
    : tensor<1x2x2x2xf64>, tensor<1x2x1x1xf64> -> tensor<1x1x2x2xf64>
  // Sixteen filters, the last one three times the others.
  %row = weft.table dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf64>
  %g = weft.table dense<[[[[10.0]]], [[[10.0]]], [[[10.0]]], [[[10.0]]], [[[10.0]]], [[[10.0]]], [[[10.0]]], [[[10.0]]], [[[10.0]]], [[[10.0]]], [[[10.0]]], [[[10.0]]], [[[10.0]]], [[[10.0]]], [[[10.0]]], [[[30.0]]]]> : tensor<16x1x1x1xf64>
  %z = weft.conv %row, %g pad [0, 0] stride [1, 1] groups 1 algorithm "direct" {out_layout = "nchw16c"}
    : tensor<1x1x1x2xf64>, tensor<16x1x1x1xf64> -> tensor<1x1x1x2x16xf64>
  return %y, %z : tensor<1x1x2x2xf64>, tensor<1x1x1x2x16xf64>
}
