// D502: the result has the permuted shape.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<4x8xf64>) -> tensor<4x8xf64> {
  // expected-error @below {{[D502] expected the result 'tensor<8x4xf64>'}}
  %y = weft.transpose %x perm [1, 0] : tensor<4x8xf64> -> tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}
