// D403: radix and what is done divide the length.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<4x8xcomplex<f64>>) -> tensor<4x8xcomplex<f64>> {
  // expected-error @below {{[D403] radix 4 after 4 does not divide the length 8 of axis 1}}
  %y = weft.butterfly %x axis 1 radix 4 done 4 sign -1 : tensor<4x8xcomplex<f64>>
  return %y : tensor<4x8xcomplex<f64>>
}
