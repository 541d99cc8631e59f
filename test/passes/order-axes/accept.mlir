// RUN: cat %target_avx512 %s | weft-opt - --order-axes --remarks-filter=order-axes --remark-policy=all 2>%t \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// The innermost axis first; sign, scale and radices stay with their axis.

// NOTE: decided {{.*}}axes in the order 2, 1, 0
// NOTE-SAME: 16777216 bytes of them; as written: 0, 1, 2

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @space
// CHECK-SAME:    (%[[X:.*]]: tensor
// CHECK-NEXT: %[[A:.*]] = weft.dft %[[X]] axis 2 sign -1 {scale = 5.000000e-01 : f64} :
// CHECK-NEXT: %[[B:.*]] = weft.dft %[[A]] axis 1 sign 1 :
// CHECK-NEXT: %[[Y:.*]] = weft.dft %[[B]] axis 0 sign -1 {radices = array<i64: 8, 16>} :
// CHECK-NEXT: return %[[Y]]
func.func @space(%x: tensor<128x64x128xcomplex<f64>>) -> tensor<128x64x128xcomplex<f64>> {
  %a = weft.dft %x axis 0 sign -1 {radices = array<i64: 8, 16>} : tensor<128x64x128xcomplex<f64>>
  %b = weft.dft %a axis 1 sign 1 : tensor<128x64x128xcomplex<f64>>
  %y = weft.dft %b axis 2 sign -1 {scale = 0.5 : f64} : tensor<128x64x128xcomplex<f64>>
  return %y : tensor<128x64x128xcomplex<f64>>
}

// A batch along the last axis: the inner one of those that are transformed.
// CHECK-LABEL: func.func @interleaved
// CHECK: weft.dft %{{.*}} axis 1
// CHECK: weft.dft %{{.*}} axis 0
func.func @interleaved(%x: tensor<512x512x8xcomplex<f32>>) -> tensor<512x512x8xcomplex<f32>> {
  %a = weft.dft %x axis 0 sign -1 : tensor<512x512x8xcomplex<f32>>
  %y = weft.dft %a axis 1 sign -1 : tensor<512x512x8xcomplex<f32>>
  return %y : tensor<512x512x8xcomplex<f32>>
}

// In a loop as well: the input is made anew in each step.
// CHECK-LABEL: func.func @steps
// CHECK: scf.for
// CHECK: weft.dft %{{.*}} axis 1
// CHECK: weft.dft %{{.*}} axis 0
func.func @steps(%x: tensor<512x512xcomplex<f64>>) -> tensor<512x512xcomplex<f64>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %y = scf.for %t = %c0 to %c4 step %c1 iter_args(%v = %x) -> tensor<512x512xcomplex<f64>> {
    %a = weft.dft %v axis 0 sign -1 : tensor<512x512xcomplex<f64>>
    %b = weft.dft %a axis 1 sign -1 : tensor<512x512xcomplex<f64>>
    scf.yield %b : tensor<512x512xcomplex<f64>>
  }
  return %y : tensor<512x512xcomplex<f64>>
}
}
