// D201: rows and cols are the shape of the result.
// RUN: weft-opt %s -verify-diagnostics

func.func @twiddle() -> tensor<16x8xcomplex<f64>> {
  // expected-error @below {{[D201] expected a result of shape 8x16 with positive rows and cols}}
  %w = weft.twiddle rows 8 cols 16 sign -1 : tensor<16x8xcomplex<f64>>
  return %w : tensor<16x8xcomplex<f64>>
}
