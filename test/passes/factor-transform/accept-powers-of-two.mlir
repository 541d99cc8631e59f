// Powers of two: fewest stages, of these the fewest operations.
// RUN: weft-opt %s --factor-transform | FileCheck %s

// CHECK-LABEL: func.func @n32(
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 8 done 1 sign -1
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 4 done 8 sign -1
// CHECK-NEXT:    return
// CHECK-LABEL: func.func @n64(
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 8 done 1 sign -1
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 8 done 8 sign -1
// CHECK-NEXT:    return
// CHECK-LABEL: func.func @n128(
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 16 done 1 sign -1
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 8 done 16 sign -1
// CHECK-NEXT:    return
// CHECK-LABEL: func.func @n256(
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 16 done 1 sign -1
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 16 done 16 sign -1
// CHECK-NEXT:    return
// CHECK-LABEL: func.func @n512(
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 8 done 1 sign -1
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 8 done 8 sign -1
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 8 done 64 sign -1
// CHECK-NEXT:    return
// CHECK-LABEL: func.func @n4096(
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 16 done 1 sign -1
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 16 done 16 sign -1
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 16 done 256 sign -1
// CHECK-NEXT:    return
func.func @n32(%x: tensor<3x32xcomplex<f64>>) -> tensor<3x32xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x32xcomplex<f64>>
  return %y : tensor<3x32xcomplex<f64>>
}
func.func @n64(%x: tensor<3x64xcomplex<f64>>) -> tensor<3x64xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x64xcomplex<f64>>
  return %y : tensor<3x64xcomplex<f64>>
}
func.func @n128(%x: tensor<3x128xcomplex<f64>>) -> tensor<3x128xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x128xcomplex<f64>>
  return %y : tensor<3x128xcomplex<f64>>
}
func.func @n256(%x: tensor<3x256xcomplex<f64>>) -> tensor<3x256xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x256xcomplex<f64>>
  return %y : tensor<3x256xcomplex<f64>>
}
func.func @n512(%x: tensor<3x512xcomplex<f64>>) -> tensor<3x512xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x512xcomplex<f64>>
  return %y : tensor<3x512xcomplex<f64>>
}
func.func @n4096(%x: tensor<3x4096xcomplex<f64>>) -> tensor<3x4096xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x4096xcomplex<f64>>
  return %y : tensor<3x4096xcomplex<f64>>
}
