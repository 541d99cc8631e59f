// A prime factor is a stage; its lines have an inner dimension of their own.
// RUN: weft-opt %s --factor-transform | FileCheck %s

// CHECK-LABEL: func.func @n166(
// CHECK:       weft.map [0, 0, 0, 0] to [3, 12, 1, 2] {{.*}}weft.inner = 2 : i64, weft.lines = 1 : i64
// CHECK:       weft.butterfly {{.*}}weft.inner = 2 : i64, weft.inner_in = 2 : i64, weft.lines = 1 : i64} : tensor<3x192x2xcomplex<f64>>
// CHECK:       weft.map [0, 0, 0, 0] to [3, 83, 2, 1] {{.*}}weft.inner_in = 2 : i64, weft.lines = 1 : i64
// CHECK:       weft.butterfly %{{.*}} axis 1 radix 2 done 83 sign -1
func.func @n166(%x: tensor<3x166xcomplex<f64>>) -> tensor<3x166xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x166xcomplex<f64>>
  return %y : tensor<3x166xcomplex<f64>>
}
// CHECK-LABEL: func.func @n74(
// CHECK:       weft.map [0, 0, 0, 0] to [3, 4, 1, 2] {{.*}}weft.inner = 2 : i64, weft.lines = 1 : i64
// CHECK:       weft.butterfly {{.*}} axis 1 radix 4 done 9 sign -1 coprime {{.*}} : tensor<3x36x2xcomplex<f64>>
// CHECK:       weft.map [0, 1, 0, 0] to [3, 37, 2, 1] init
// CHECK:       weft.map [0, 0, 0, 0] to [3, 1, 2, 1] init
// CHECK:       weft.butterfly %{{.*}} axis 1 radix 2 done 37 sign -1
func.func @n74(%x: tensor<3x74xcomplex<f64>>) -> tensor<3x74xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x74xcomplex<f64>>
  return %y : tensor<3x74xcomplex<f64>>
}
