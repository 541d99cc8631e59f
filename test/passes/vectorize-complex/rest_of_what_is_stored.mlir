// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// A loop that overwrites what it reads must not do an iteration again: the rest is a vector that is
// not full, or scalar where that would be nearly empty.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @in_place
// CHECK: affine.for %{{.*}} = 0 to 16 step 8 {
// CHECK: %[[MASK:.*]] = arith.constant dense<[true, true, true, true, false, false, false, false]>
// CHECK: affine.for %[[I:.*]] = 16 to 24 step 8 {
// CHECK:   vector.maskedload %arg0[%[[I]]], %[[MASK]]
// CHECK:   vector.maskedstore %arg0[%[[I]]], %[[MASK]]
func.func @in_place(%y: memref<32xf64>) {
  affine.for %i = 0 to 20 {
    %v = affine.load %y[%i] : memref<32xf64>
    %s = arith.addf %v, %v : f64
    affine.store %s, %y[%i] : memref<32xf64>
  } {weft.lane}
  return
}
// CHECK-LABEL: func.func @one_over
// CHECK: affine.for %{{.*}} = 0 to 16 step 8 {
// CHECK: affine.for %{{.*}} = 16 to 17 {
// CHECK:   arith.addf %{{.*}} : f64
func.func @one_over(%y: memref<32xf64>) {
  affine.for %i = 0 to 17 {
    %v = affine.load %y[%i] : memref<32xf64>
    %s = arith.addf %v, %v : f64
    affine.store %s, %y[%i] : memref<32xf64>
  } {weft.lane}
  return
}
}
