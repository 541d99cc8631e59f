// RUN: cat %target_avx512 %s | weft-opt - --order-axes --remarks-filter=order-axes --remark-policy=all 2>%t \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// What is in a cache, what others read in between, the same axis twice, and the right order.

// NOTE: rejected {{.*}}Why="65536 bytes stay in a cache of 1048576 (l2_bytes)"
// NOTE-NOT: decided

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @small
// CHECK: axis 0
// CHECK: axis 1
func.func @small(%x: tensor<64x64xcomplex<f64>>) -> tensor<64x64xcomplex<f64>> {
  %a = weft.dft %x axis 0 sign -1 : tensor<64x64xcomplex<f64>>
  %y = weft.dft %a axis 1 sign -1 : tensor<64x64xcomplex<f64>>
  return %y : tensor<64x64xcomplex<f64>>
}

// CHECK-LABEL: func.func @read_in_between
// CHECK: axis 0
// CHECK: axis 1
func.func @read_in_between(%x: tensor<512x512xcomplex<f64>>)
    -> (tensor<512x512xcomplex<f64>>, tensor<512x512xcomplex<f64>>) {
  %a = weft.dft %x axis 0 sign -1 : tensor<512x512xcomplex<f64>>
  %y = weft.dft %a axis 1 sign -1 : tensor<512x512xcomplex<f64>>
  return %a, %y : tensor<512x512xcomplex<f64>>, tensor<512x512xcomplex<f64>>
}

// Forward and back are no two axes: each part keeps its place.
// CHECK-LABEL: func.func @same_axis
// CHECK: axis 0 sign -1
// CHECK: axis 0 sign 1
func.func @same_axis(%x: tensor<512x512xcomplex<f64>>) -> tensor<512x512xcomplex<f64>> {
  %a = weft.dft %x axis 0 sign -1 : tensor<512x512xcomplex<f64>>
  %y = weft.dft %a axis 0 sign 1 : tensor<512x512xcomplex<f64>>
  return %y : tensor<512x512xcomplex<f64>>
}

// CHECK-LABEL: func.func @ordered
// CHECK: axis 1
// CHECK: axis 0
func.func @ordered(%x: tensor<512x512xcomplex<f64>>) -> tensor<512x512xcomplex<f64>> {
  %a = weft.dft %x axis 1 sign -1 : tensor<512x512xcomplex<f64>>
  %y = weft.dft %a axis 0 sign 1 : tensor<512x512xcomplex<f64>>
  return %y : tensor<512x512xcomplex<f64>>
}
}
