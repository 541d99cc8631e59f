// A permutation of the dimensions.
// RUN: weft-opt %s | weft-opt | FileCheck %s

// CHECK: weft.transpose %{{.*}} perm [1, 0] : tensor<4x8xf64> -> tensor<8x4xf64>
func.func @f(%x: tensor<4x8xf64>) -> tensor<8x4xf64> {
  %y = weft.transpose %x perm [1, 0] : tensor<4x8xf64> -> tensor<8x4xf64>
  return %y : tensor<8x4xf64>
}
