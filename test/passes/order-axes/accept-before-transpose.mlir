// Transforms along lines that lie across the rows of what is transposed come before it, and all of those that follow.
// RUN: cat %target_avx512 %s | weft-opt - --order-axes --remarks-filter=order-axes --remark-policy=all 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t

// NOTE: decided {{.*}}: before its input is transposed", Why="it stores what is transposed, rather than to read each point from another row"

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @lines
// CHECK: %[[Y:.*]] = weft.dft %arg0 axis 0 sign -1 {{.*}}tensor<500x3000xcomplex<f64>>
// CHECK: %[[T:.*]] = weft.transpose %[[Y]]
// CHECK: return %[[T]]
func.func @lines(%x: tensor<500x3000xcomplex<f64>>) -> tensor<3000x500xcomplex<f64>> {
  %t = weft.transpose %x perm [1, 0] : tensor<500x3000xcomplex<f64>> -> tensor<3000x500xcomplex<f64>>
  %y = weft.dft %t axis 1 sign -1 : tensor<3000x500xcomplex<f64>>
  return %y : tensor<3000x500xcomplex<f64>>
}

// CHECK-LABEL: func.func @both
// CHECK: weft.dft %arg0 axis 1
// CHECK: weft.dft {{.*}} axis 0
// CHECK: weft.transpose
func.func @both(%x: tensor<500x3000xcomplex<f64>>) -> tensor<3000x500xcomplex<f64>> {
  %t = weft.transpose %x perm [1, 0] : tensor<500x3000xcomplex<f64>> -> tensor<3000x500xcomplex<f64>>
  %u = weft.dft %t axis 0 sign -1 : tensor<3000x500xcomplex<f64>>
  %y = weft.dft %u axis 1 sign -1 : tensor<3000x500xcomplex<f64>>
  return %y : tensor<3000x500xcomplex<f64>>
}

// Planes of 8 by 16 stay in a cache: columns as well.
// CHECK-LABEL: func.func @near
// CHECK: weft.dft %arg0 axis 2
// CHECK: weft.transpose
func.func @near(%x: tensor<1000x8x16xcomplex<f64>>) -> tensor<1000x16x8xcomplex<f64>> {
  %t = weft.transpose %x perm [0, 2, 1] : tensor<1000x8x16xcomplex<f64>> -> tensor<1000x16x8xcomplex<f64>>
  %y = weft.dft %t axis 1 sign -1 : tensor<1000x16x8xcomplex<f64>>
  return %y : tensor<1000x16x8xcomplex<f64>>
}
}
