// D501: perm names each dimension once.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<4x8xf64>) -> tensor<8x4xf64> {
  // expected-error @below {{[D501] perm is not a permutation of the input's 2 dimensions}}
  %y = weft.transpose %x perm [1, 1] : tensor<4x8xf64> -> tensor<8x4xf64>
  return %y : tensor<8x4xf64>
}
