// D401: the axis of a stage lies in the rank.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<4x8xcomplex<f64>>) -> tensor<4x8xcomplex<f64>> {
  // expected-error @below {{[D401] axis 5 is outside of the input: expected 0 to 1}}
  %y = weft.butterfly %x axis 5 radix 4 done 2 sign -1 : tensor<4x8xcomplex<f64>>
  return %y : tensor<4x8xcomplex<f64>>
}
