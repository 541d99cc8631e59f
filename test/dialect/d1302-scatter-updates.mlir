// D1302: updates have the shape of indices, then that of a row.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%base: tensor<16x4xf64>, %idx: tensor<8xi64>, %v: tensor<4x8xf64>) -> tensor<16x4xf64> {
  // expected-error @below {{[D1302] expected updates 'tensor<8x4xf64>', found 'tensor<4x8xf64>'}}
  %y = weft.scatter add %base, %idx, %v : tensor<16x4xf64>, tensor<8xi64>, tensor<4x8xf64> -> tensor<16x4xf64>
  return %y : tensor<16x4xf64>
}
