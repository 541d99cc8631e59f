// D601: a reshape keeps the number of elements, or makes complex ones of pairs of their own parts.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<4x8xf64>) -> tensor<31xf64> {
  // expected-error @below {{[D601]}}
  %y = weft.reshape %x : tensor<4x8xf64> -> tensor<31xf64>
  return %y : tensor<31xf64>
}

func.func @pairs(%x: tensor<4x8xf64>) -> tensor<32xcomplex<f64>> {
  // expected-error @below {{[D601]}}
  %y = weft.reshape %x : tensor<4x8xf64> -> tensor<32xcomplex<f64>>
  return %y : tensor<32xcomplex<f64>>
}

func.func @precision(%x: tensor<4x8xf64>) -> tensor<16xcomplex<f32>> {
  // expected-error @below {{[D601]}}
  %y = weft.reshape %x : tensor<4x8xf64> -> tensor<16xcomplex<f32>>
  return %y : tensor<16xcomplex<f32>>
}
