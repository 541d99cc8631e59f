// Several inputs in one file, and expected messages, as in mlir-opt.
// RUN: weft-opt %s --split-input-file --verify-diagnostics

func.func @right(%x: tensor<4x8xf64>) -> tensor<8x4xf64> {
  %y = weft.transpose %x perm [1, 0] : tensor<4x8xf64> -> tensor<8x4xf64>
  return %y : tensor<8x4xf64>
}

// -----

func.func @wrong(%x: tensor<4x8xf64>) -> tensor<8x4xf64> {
  // expected-error @below {{D501}}
  %y = weft.transpose %x perm [1, 1] : tensor<4x8xf64> -> tensor<8x4xf64>
  return %y : tensor<8x4xf64>
}
