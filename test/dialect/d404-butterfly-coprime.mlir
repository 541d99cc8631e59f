// D404: stages without twiddles have radices without common factors.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<4x12xcomplex<f64>>) -> tensor<4x12xcomplex<f64>> {
  // expected-error @below {{[D404] radix 2 is not coprime: the other 6 of the length 12 have the factor 2 as well}}
  %y = weft.butterfly %x axis 1 radix 2 done 1 sign -1 coprime : tensor<4x12xcomplex<f64>>
  return %y : tensor<4x12xcomplex<f64>>
}
