// D302: the sign of a transform is 1 or -1.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<4x8xcomplex<f64>>) -> tensor<4x8xcomplex<f64>> {
  // expected-error @below {{[D302] sign is 2: expected 1 or -1}}
  %y = weft.dft %x axis 1 sign 2 : tensor<4x8xcomplex<f64>>
  return %y : tensor<4x8xcomplex<f64>>
}
