// RUN: cat %target_avx512 %s | weft-opt - --order-axes --remarks-filter=order-axes --remark-policy=all 2>%t \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// A spectrum times a filter, and back: the axis that came last comes first, whichever that is.

// NOTE: decided {{.*}}axes in the order 0, 2, 1
// NOTE-SAME: what comes before ends along axis 0: there and back in one pass over memory of 16777216 bytes; as written: 2, 1, 0

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @filter
// CHECK: weft.dft %{{.*}} axis 2 sign -1
// CHECK: weft.dft %{{.*}} axis 1 sign -1
// CHECK: weft.dft %{{.*}} axis 0 sign -1
// CHECK: weft.map
// CHECK: weft.dft %{{.*}} axis 0 sign 1 {scale = 5.000000e-01 : f64}
// CHECK: weft.dft %{{.*}} axis 2 sign 1
// CHECK: weft.dft %{{.*}} axis 1 sign 1
func.func @filter(%x: tensor<128x64x128xcomplex<f64>>, %h: tensor<128x64x128xcomplex<f64>>) -> tensor<128x64x128xcomplex<f64>> {
  %a = weft.dft %x axis 0 sign -1 : tensor<128x64x128xcomplex<f64>>
  %b = weft.dft %a axis 1 sign -1 : tensor<128x64x128xcomplex<f64>>
  %c = weft.dft %b axis 2 sign -1 : tensor<128x64x128xcomplex<f64>>
  %p = weft.map [0, 0, 0] to [128, 64, 128] stores [affine_map<(i, j, k) -> (i, j, k)>] {
  ^bb0(%i: index, %j: index, %k: index):
    %u = tensor.extract %c[%i, %j, %k] : tensor<128x64x128xcomplex<f64>>
    %v = tensor.extract %h[%i, %j, %k] : tensor<128x64x128xcomplex<f64>>
    %w = complex.mul %u, %v : complex<f64>
    weft.yield %w : complex<f64>
  } : tensor<128x64x128xcomplex<f64>>
  %d = weft.dft %p axis 2 sign 1 : tensor<128x64x128xcomplex<f64>>
  %e = weft.dft %d axis 1 sign 1 : tensor<128x64x128xcomplex<f64>>
  %y = weft.dft %e axis 0 sign 1 {scale = 0.5 : f64} : tensor<128x64x128xcomplex<f64>>
  return %y : tensor<128x64x128xcomplex<f64>>
}

// What is read elsewhere than at its own place is there when all of it is: innermost axes first.
// CHECK-LABEL: func.func @mirrored
// CHECK: weft.dft %{{.*}} axis 1 sign -1
// CHECK: weft.dft %{{.*}} axis 0 sign -1
// CHECK: weft.map
// CHECK: weft.dft %{{.*}} axis 1 sign 1
// CHECK: weft.dft %{{.*}} axis 0 sign 1
func.func @mirrored(%x: tensor<512x512xcomplex<f64>>) -> tensor<512x512xcomplex<f64>> {
  %a = weft.dft %x axis 1 sign -1 : tensor<512x512xcomplex<f64>>
  %b = weft.dft %a axis 0 sign -1 : tensor<512x512xcomplex<f64>>
  %p = weft.map [0, 0] to [512, 512] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %m = affine.apply affine_map<(i) -> (511 - i)>(%i)
    %u = tensor.extract %b[%m, %j] : tensor<512x512xcomplex<f64>>
    weft.yield %u : complex<f64>
  } : tensor<512x512xcomplex<f64>>
  %d = weft.dft %p axis 0 sign 1 : tensor<512x512xcomplex<f64>>
  %y = weft.dft %d axis 1 sign 1 : tensor<512x512xcomplex<f64>>
  return %y : tensor<512x512xcomplex<f64>>
}
}
