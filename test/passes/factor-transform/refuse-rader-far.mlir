// Columns come to a core's own memory by transfers, which take no points in an order of their own.
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s

// CHECK: decided {{.*}}tensor<37x64xcomplex<f64>>: the factor 37 by Bluestein's convolution"
module attributes {weft.target = #target} {
func.func @columns(%x: tensor<37x64xcomplex<f64>>) -> tensor<37x64xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<37x64xcomplex<f64>>
  return %y : tensor<37x64xcomplex<f64>>
}
}
