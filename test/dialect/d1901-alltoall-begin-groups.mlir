// D1901: there are two groups or more.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<4x6xf64>) -> tensor<4x6xf64> {
  // expected-error @below {{[D1901] groups is 1: expected at least 2}}
  %y = weft.alltoall_begin %x groups 1 : tensor<4x6xf64>
  return %y : tensor<4x6xf64>
}
