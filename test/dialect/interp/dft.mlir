// RUN: weft-interp %s | FileCheck %s

// CHECK: result0: complex128[4] = [(10, 0), (-2, 2), (-2, 0), (-2, -2)]
// CHECK-NEXT: result1: complex128[2, 2] = {{\[\[}}(2, 0), (3, 0)], [(-1, 0), (-1, 0)]]
func.func @f() -> (tensor<4xcomplex<f64>>, tensor<2x2xcomplex<f64>>) {
  %x = weft.table dense<[(1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (4.0, 0.0)]> : tensor<4xcomplex<f64>>
  %y = weft.dft %x axis 0 sign -1 : tensor<4xcomplex<f64>>
  %m = weft.reshape %x : tensor<4xcomplex<f64>> -> tensor<2x2xcomplex<f64>>
  %z = weft.dft %m axis 0 sign 1 {scale = 0.5 : f64} : tensor<2x2xcomplex<f64>>
  return %y, %z : tensor<4xcomplex<f64>>, tensor<2x2xcomplex<f64>>
}
