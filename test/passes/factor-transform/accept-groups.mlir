// The stages of a transform have a group in common, two transforms have not.
// RUN: weft-opt %s --factor-transform | FileCheck %s

// CHECK: axis 1 radix 8 done 1 sign -1 {weft.group = 0 : i64, weft.lines = 1 : i64}
// CHECK: axis 1 radix 4 done 8 sign -1 {weft.group = 0 : i64, weft.lines = 1 : i64}
// CHECK: axis 0 radix 3 done 1 sign -1 {weft.group = 1 : i64, weft.lines = 0 : i64}
func.func @planes(%x: tensor<3x32xcomplex<f64>>) -> tensor<3x32xcomplex<f64>> {
  %a = weft.dft %x axis 1 sign -1 : tensor<3x32xcomplex<f64>>
  %y = weft.dft %a axis 0 sign -1 : tensor<3x32xcomplex<f64>>
  return %y : tensor<3x32xcomplex<f64>>
}
