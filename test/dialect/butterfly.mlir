// A stage with a scale, and one without twiddles.
// RUN: weft-opt %s | weft-opt | FileCheck %s

// CHECK: weft.butterfly %{{.*}} axis 1 radix 4 done 2 sign -1 {scale = 5.000000e-01 : f64} : tensor<4x8xcomplex<f64>>
func.func @f(%x: tensor<4x8xcomplex<f64>>) -> tensor<4x8xcomplex<f64>> {
  %y = weft.butterfly %x axis 1 radix 4 done 2 sign -1 {scale = 5.000000e-01 : f64} : tensor<4x8xcomplex<f64>>
  return %y : tensor<4x8xcomplex<f64>>
}
// CHECK: weft.butterfly %{{.*}} axis 1 radix 4 done 3 sign 1 coprime : tensor<4x12xcomplex<f64>>
func.func @coprime(%x: tensor<4x12xcomplex<f64>>) -> tensor<4x12xcomplex<f64>> {
  %y = weft.butterfly %x axis 1 radix 4 done 3 sign 1 coprime : tensor<4x12xcomplex<f64>>
  return %y : tensor<4x12xcomplex<f64>>
}
