// The same elements under another shape.
// RUN: weft-opt %s | weft-opt | FileCheck %s

// CHECK: weft.reshape %{{.*}} : tensor<4x8xf64> -> tensor<32xf64>
func.func @f(%x: tensor<4x8xf64>) -> tensor<32xf64> {
  %y = weft.reshape %x : tensor<4x8xf64> -> tensor<32xf64>
  return %y : tensor<32xf64>
}
