// The same elements under another shape; pairs of real ones are complex ones.
// RUN: weft-opt %s | weft-opt | FileCheck %s

// CHECK: weft.reshape %{{.*}} : tensor<4x8xf64> -> tensor<32xf64>
func.func @f(%x: tensor<4x8xf64>) -> tensor<32xf64> {
  %y = weft.reshape %x : tensor<4x8xf64> -> tensor<32xf64>
  return %y : tensor<32xf64>
}

// CHECK: weft.reshape %{{.*}} : tensor<4x8xf64> -> tensor<16xcomplex<f64>>
// CHECK: weft.reshape %{{.*}} : tensor<16xcomplex<f64>> -> tensor<2x16xf64>
func.func @pairs(%x: tensor<4x8xf64>) -> tensor<2x16xf64> {
  %y = weft.reshape %x : tensor<4x8xf64> -> tensor<16xcomplex<f64>>
  %z = weft.reshape %y : tensor<16xcomplex<f64>> -> tensor<2x16xf64>
  return %z : tensor<2x16xf64>
}
