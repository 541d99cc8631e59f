// D301: the axis of a transform lies in the rank.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<4x8xcomplex<f64>>) -> tensor<4x8xcomplex<f64>> {
  // expected-error @below {{[D301] axis 2 is outside of the input: expected 0 to 1}}
  %y = weft.dft %x axis 2 sign -1 : tensor<4x8xcomplex<f64>>
  return %y : tensor<4x8xcomplex<f64>>
}
