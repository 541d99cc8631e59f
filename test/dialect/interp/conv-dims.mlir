// Signals, with a stride and a border, and volumes.
// RUN: weft-interp %s | FileCheck %s

// CHECK: result0: float64[1, 1, 3] = {{\[\[\[}}2, 24, 40]]]
// CHECK-NEXT: result1: float64[1, 1, 1, 1, 2] = {{.*}}105, 216
func.func @f() -> (tensor<1x1x3xf64>, tensor<1x1x1x1x2xf64>) {
  %x = weft.table dense<[[[1.0, 2.0, 3.0, 4.0, 5.0]]]> : tensor<1x1x5xf64>
  %g = weft.table dense<[[[10.0, 0.0, 1.0]]]> : tensor<1x1x3xf64>
  %y = weft.conv %x, %g pad [1] stride [2] groups 1 algorithm "direct" {layout = "ncw", out_layout = "ncw"}
    : tensor<1x1x5xf64>, tensor<1x1x3xf64> -> tensor<1x1x3xf64>
  %v = weft.table dense<[[[[[1.0, 2.0]], [[5.0, 16.0]]]]]> : tensor<1x1x2x1x2xf64>
  %h = weft.table dense<[[[[[100.0]], [[1.0]]]]]> : tensor<1x1x2x1x1xf64>
  %z = weft.conv %v, %h pad [0, 0, 0] stride [1, 1, 1] groups 1 algorithm "direct" {layout = "ncdhw", out_layout = "ncdhw"}
    : tensor<1x1x2x1x2xf64>, tensor<1x1x2x1x1xf64> -> tensor<1x1x1x1x2xf64>
  return %y, %z : tensor<1x1x3xf64>, tensor<1x1x1x1x2xf64>
}
