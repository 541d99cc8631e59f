// The scale goes to the first stage, whose twiddles take it in.
// RUN: weft-opt %s --factor-transform | FileCheck %s

// CHECK: weft.butterfly %{{.*}} radix 8 done 1 sign 1 {scale = 2.500000e-01 : f64,
// CHECK-NOT: scale
func.func @scaled(%x: tensor<64xcomplex<f64>>) -> tensor<64xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign 1 {scale = 0.25 : f64} : tensor<64xcomplex<f64>>
  return %y : tensor<64xcomplex<f64>>
}
