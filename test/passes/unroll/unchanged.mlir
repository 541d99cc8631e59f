// RUN: cat %target_avx512 %s | weft-opt - --unroll | FileCheck %s
// Parallel loops stay, and so do vector loops whose iterations no factor divides and longer scalar loops.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @rows
// CHECK: affine.for %{{.*}} = 0 to 4 {
// CHECK: } {weft.parallel}
// CHECK: affine.for %{{.*}} = 0 to 13 {
// CHECK-COUNT-1: affine.vector_store
// CHECK-NOT: affine.vector_store
// CHECK: affine.for %{{.*}} = 0 to 16 {
func.func @rows(%v: f64, %w: vector<8xf64>, %y: memref<24xf64>) {
  affine.for %i = 0 to 4 {
    affine.store %v, %y[%i] : memref<24xf64>
  } {weft.parallel}
  affine.for %i = 0 to 13 {
    affine.vector_store %w, %y[%i] : memref<24xf64>, vector<8xf64>
  }
  affine.for %i = 0 to 16 {
    affine.store %v, %y[%i] : memref<24xf64>
  }
  return
}
}
