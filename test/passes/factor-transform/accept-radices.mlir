// The radices of the op are followed in their order.
// RUN: weft-opt %s --factor-transform | FileCheck %s
// RUN: weft-opt %s --factor-transform --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}What="a value of type tensor<3x24xcomplex<f64>>: 24 points in stages of radix 2, 3, 4", Why="radices= or the schedule says so; 21.3 operations a point"

// CHECK-LABEL: func.func @n24(
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 2 done 1 sign -1
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 3 done 2 sign -1
// CHECK-NEXT:    %{{.*}} = weft.butterfly %{{.*}} axis 1 radix 4 done 6 sign -1
// CHECK-NEXT:    return
func.func @n24(%x: tensor<3x24xcomplex<f64>>) -> tensor<3x24xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 {radices = array<i64: 2, 3, 4>} : tensor<3x24xcomplex<f64>>
  return %y : tensor<3x24xcomplex<f64>>
}
