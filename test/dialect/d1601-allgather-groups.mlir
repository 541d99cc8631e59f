// D1601: there are two groups or more.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @below {{[D1601] groups is 1: expected at least 2}}
  %y = weft.allgather %x groups 1 : tensor<4xf64> -> tensor<4xf64>
  return %y : tensor<4xf64>
}
