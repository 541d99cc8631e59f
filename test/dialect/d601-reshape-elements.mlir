// D601: a reshape keeps the number of elements.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<4x8xf64>) -> tensor<31xf64> {
  // expected-error @below {{[D601]}}
  %y = weft.reshape %x : tensor<4x8xf64> -> tensor<31xf64>
  return %y : tensor<31xf64>
}
