// RUN: weft-interp %s | FileCheck %s

// CHECK: result0: complex64[2, 2] = {{\[\[}}(1, 0), (1, 0)], [(1, 0), (0, -1)]]
func.func @f() -> tensor<2x2xcomplex<f32>> {
  %w = weft.twiddle rows 2 cols 2 sign -1 : tensor<2x2xcomplex<f32>>
  return %w : tensor<2x2xcomplex<f32>>
}
