// Roots of unity with rows, columns and sign.
// RUN: weft-opt %s | weft-opt | FileCheck %s

// CHECK: weft.twiddle rows 8 cols 16 sign -1 : tensor<8x16xcomplex<f64>>
func.func @twiddle() -> tensor<8x16xcomplex<f64>> {
  %w = weft.twiddle rows 8 cols 16 sign -1 : tensor<8x16xcomplex<f64>>
  return %w : tensor<8x16xcomplex<f64>>
}
