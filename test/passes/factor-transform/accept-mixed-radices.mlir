// Composite radices save stages.
// RUN: weft-opt %s --factor-transform | FileCheck %s

// CHECK-LABEL: func.func @n60(
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 10 done 1 sign -1
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 6 done 10 sign -1
// CHECK-NEXT:    return
// CHECK-LABEL: func.func @n105(
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 15 done 1 sign -1
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 7 done 15 sign -1
// CHECK-NEXT:    return
// CHECK-LABEL: func.func @n1920(
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 16 done 1 sign -1
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 12 done 16 sign -1
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 10 done 192 sign -1
// CHECK-NEXT:    return
// CHECK-LABEL: func.func @n34(
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 17 done 1 sign -1
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 2 done 17 sign -1
// CHECK-NEXT:    return
func.func @n60(%x: tensor<3x60xcomplex<f64>>) -> tensor<3x60xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x60xcomplex<f64>>
  return %y : tensor<3x60xcomplex<f64>>
}
func.func @n105(%x: tensor<3x105xcomplex<f64>>) -> tensor<3x105xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x105xcomplex<f64>>
  return %y : tensor<3x105xcomplex<f64>>
}
func.func @n1920(%x: tensor<3x1920xcomplex<f64>>) -> tensor<3x1920xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x1920xcomplex<f64>>
  return %y : tensor<3x1920xcomplex<f64>>
}
func.func @n34(%x: tensor<3x34xcomplex<f64>>) -> tensor<3x34xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x34xcomplex<f64>>
  return %y : tensor<3x34xcomplex<f64>>
}
