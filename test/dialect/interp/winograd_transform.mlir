// An infinity that meets only zeros of the matrix takes no part.
// RUN: weft-interp %s | FileCheck %s

// CHECK: result0: float64[2, 2] = {{\[\[}}3, -1], [9, inf]]
func.func @f() -> tensor<2x2xf64> {
  %x = weft.table dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 0xFFF0000000000000]]> : tensor<2x3xf64>
  %y = weft.winograd_transform %x axis 1
         matrix dense<[[1.0, 1.0, 0.0], [0.0, 1.0, -1.0]]> : tensor<2x3xf64>
         : tensor<2x3xf64> -> tensor<2x2xf64>
  return %y : tensor<2x2xf64>
}
