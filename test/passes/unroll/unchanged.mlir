// RUN: cat %target_avx512 %s | weft-opt - --unroll | FileCheck %s
// Parallel loops stay, and so do loops whose iterations no factor divides.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @rows
// CHECK: affine.for %{{.*}} = 0 to 4 {
// CHECK: } {weft.parallel}
// CHECK: affine.for %{{.*}} = 0 to 13 {
// CHECK-COUNT-1: affine.store
// CHECK-NOT: affine.store
func.func @rows(%v: f64, %y: memref<16xf64>) {
  affine.for %i = 0 to 4 {
    affine.store %v, %y[%i] : memref<16xf64>
  } {weft.parallel}
  affine.for %i = 0 to 13 {
    affine.store %v, %y[%i] : memref<16xf64>
  }
  return
}
}
