// D2001: there are two groups or more.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<4x6xf64>) -> tensor<4x6xf64> {
  // expected-error @below {{[D2001] groups is 1: expected at least 2}}
  %y = weft.alltoall_end %x of %x groups 1 : tensor<4x6xf64>
  return %y : tensor<4x6xf64>
}
