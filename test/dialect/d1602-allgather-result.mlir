// D1602: the first extent, multiplied by the number of groups.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<4x6xf64>) -> tensor<4x12xf64> {
  // expected-error @below {{[D1602] 2 parts 'tensor<4x6xf64>' along the first axis are no 'tensor<4x12xf64>'}}
  %y = weft.allgather %x groups 2 : tensor<4x6xf64> -> tensor<4x12xf64>
  return %y : tensor<4x12xf64>
}
