// D1902: groups divide the first extent.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<4x6xf64>) -> tensor<4x6xf64> {
  // expected-error @below {{[D1902] 3 groups do not divide the first extent of 'tensor<4x6xf64>'}}
  %y = weft.alltoall_begin %x groups 3 : tensor<4x6xf64>
  return %y : tensor<4x6xf64>
}
