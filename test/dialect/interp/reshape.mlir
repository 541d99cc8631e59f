// RUN: weft-interp %s | FileCheck %s
// Pairs of real elements are complex ones of the same memory.

// CHECK: result0: complex128[2] = [(1, 2), (3, 4)]
// CHECK-NEXT: result1: float64[4] = [1, 2, 3, 4]
func.func @f() -> (tensor<2xcomplex<f64>>, tensor<4xf64>) {
  %x = weft.table dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %pairs = weft.reshape %x : tensor<2x2xf64> -> tensor<2xcomplex<f64>>
  %back = weft.reshape %pairs : tensor<2xcomplex<f64>> -> tensor<4xf64>
  return %pairs, %back : tensor<2xcomplex<f64>>, tensor<4xf64>
}
