// A transform of length 1 is its input, or a multiple of it.
// RUN: weft-opt %s --factor-transform | FileCheck %s

// CHECK-LABEL: func.func @n1(
// CHECK-NEXT:    return %arg0
// CHECK-LABEL: func.func @scaled(
// CHECK-COUNT-2: arith.mulf
func.func @n1(%x: tensor<3x1xcomplex<f64>>) -> tensor<3x1xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x1xcomplex<f64>>
  return %y : tensor<3x1xcomplex<f64>>
}
func.func @scaled(%x: tensor<3x1xcomplex<f64>>) -> tensor<3x1xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign 1 {scale = 0.25 : f64} : tensor<3x1xcomplex<f64>>
  return %y : tensor<3x1xcomplex<f64>>
}
