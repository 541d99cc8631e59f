// Composite radices save stages.
// RUN: weft-opt %s --factor-transform | FileCheck %s
// RUN: weft-opt %s --factor-transform --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: rejected {{.*}}What="a value of type tensor<3x60xcomplex<f64>>: stages of radix 5, 4, 3", Why="stages: 3 rather than 2; operations a point: 28.1 rather than 23.1"
// NOTE: decided {{.*}}What="a value of type tensor<3x60xcomplex<f64>>: 60 points in stages of radix 10, 6", Why="stages: 2, the fewest; operations a point: 23.1"
// NOTE: rejected {{.*}}What="a value of type tensor<3x105xcomplex<f64>>: stages of radix 7, 5, 3", Why="stages: 3 rather than 2; operations a point: 37.8 rather than 32.8"
// NOTE: decided {{.*}}What="a value of type tensor<3x105xcomplex<f64>>: 105 points in stages of radix 15, 7", Why="stages: 2, the fewest; operations a point: 32.8"
// NOTE: rejected {{.*}}What="a value of type tensor<3x1920xcomplex<f64>>: stages of radix 12, 10, 4, 4", Why="stages: 4 rather than 3; operations a point: 43.1 rather than 40.6"
// NOTE: decided {{.*}}What="a value of type tensor<3x1920xcomplex<f64>>: 1920 points in stages of radix 16, 12, 10", Why="stages: 3, the fewest; operations a point: 40.6"
// NOTE: decided {{.*}}What="a value of type tensor<3x34xcomplex<f64>>: 34 points in stages of radix 17, 2", Why="stages: 2, the fewest; operations a point: 40.9"

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
