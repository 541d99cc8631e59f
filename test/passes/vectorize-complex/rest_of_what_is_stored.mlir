// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// A loop that overwrites what it reads must not do an iteration again: the rest is scalar.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @in_place
// CHECK: affine.for %{{.*}} = 0 to 16 step 8 {
// CHECK: affine.for %{{.*}} = 16 to 20 {
// CHECK:   arith.addf %{{.*}} : f64
func.func @in_place(%y: memref<32xf64>) {
  affine.for %i = 0 to 20 {
    %v = affine.load %y[%i] : memref<32xf64>
    %s = arith.addf %v, %v : f64
    affine.store %s, %y[%i] : memref<32xf64>
  } {weft.lane}
  return
}
}
