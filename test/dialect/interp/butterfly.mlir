// Two stages are the transform of 4.
// RUN: weft-interp %s | FileCheck %s

// CHECK: result0: complex128[4] = [(10, 0), (-2, 2), (-2, 0), (-2, -2)]
func.func @f() -> tensor<4xcomplex<f64>> {
  %x = weft.table dense<[(1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (4.0, 0.0)]> : tensor<4xcomplex<f64>>
  %a = weft.butterfly %x axis 0 radix 2 done 1 sign -1 : tensor<4xcomplex<f64>>
  %b = weft.butterfly %a axis 0 radix 2 done 2 sign -1 : tensor<4xcomplex<f64>>
  return %b : tensor<4xcomplex<f64>>
}
