// Rows of updates added where data says.
// RUN: weft-opt %s | weft-opt | FileCheck %s

// CHECK: weft.scatter add %{{.*}}, %{{.*}}, %{{.*}} : tensor<16x4xf64>, tensor<8xi32>, tensor<8x4xf64> -> tensor<16x4xf64>
func.func @f(%base: tensor<16x4xf64>, %idx: tensor<8xi32>, %v: tensor<8x4xf64>) -> tensor<16x4xf64> {
  %safe = weft.checked_indices %idx below 16 code 1 : tensor<8xi32>
  %y = weft.scatter add %base, %safe, %v : tensor<16x4xf64>, tensor<8xi32>, tensor<8x4xf64> -> tensor<16x4xf64>
  return %y : tensor<16x4xf64>
}
