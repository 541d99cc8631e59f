// D1702: the first extent, divided by the number of groups.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<6xf64>) -> tensor<2xf64> {
  // expected-error @below {{[D1702] 2 parts 'tensor<2xf64>' along the first axis are no 'tensor<6xf64>'}}
  %y = weft.own %x groups 2 : tensor<6xf64> -> tensor<2xf64>
  return %y : tensor<2xf64>
}
