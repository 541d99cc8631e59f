// D303: the product of the radices is the length.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<4x8xcomplex<f64>>) -> tensor<4x8xcomplex<f64>> {
  // expected-error @below {{[D303] the product of radices is 16: expected the length 8 of axis 1}}
  %y = weft.dft %x axis 1 sign -1 {radices = array<i64: 4, 4>} : tensor<4x8xcomplex<f64>>
  return %y : tensor<4x8xcomplex<f64>>
}
