// D1701: there are two groups or more.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @below {{[D1701] groups is 0: expected at least 2}}
  %y = weft.own %x groups 0 : tensor<4xf64> -> tensor<4xf64>
  return %y : tensor<4xf64>
}
