// D202: the sign of a table of roots is 1 or -1.
// RUN: weft-opt %s -verify-diagnostics

func.func @twiddle() -> tensor<8x16xcomplex<f64>> {
  // expected-error @below {{[D202] sign is 0: expected 1 or -1}}
  %w = weft.twiddle rows 8 cols 16 sign 0 : tensor<8x16xcomplex<f64>>
  return %w : tensor<8x16xcomplex<f64>>
}
