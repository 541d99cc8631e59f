// A transform with scale and radices.
// RUN: weft-opt %s | weft-opt | FileCheck %s

// CHECK: weft.dft %{{.*}} axis 1 sign -1 {radices = array<i64: 4, 2>, scale = 1.250000e-01 : f64} : tensor<4x8xcomplex<f64>>
func.func @f(%x: tensor<4x8xcomplex<f64>>) -> tensor<4x8xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 {radices = array<i64: 4, 2>, scale = 1.250000e-01 : f64} : tensor<4x8xcomplex<f64>>
  return %y : tensor<4x8xcomplex<f64>>
}
