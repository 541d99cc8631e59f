// D402: the sign of a stage is 1 or -1.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<4x8xcomplex<f64>>) -> tensor<4x8xcomplex<f64>> {
  // expected-error @below {{[D402] sign is 0: expected 1 or -1}}
  %y = weft.butterfly %x axis 1 radix 4 done 2 sign 0 : tensor<4x8xcomplex<f64>>
  return %y : tensor<4x8xcomplex<f64>>
}
