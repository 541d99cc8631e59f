// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// Interleaved on both sides: 4 x 4 whole elements change places in 8 lane shuffles.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @transpose
// CHECK:          affine.for %{{.*}} = 0 to 8 step 4 {
// CHECK:          affine.for %{{.*}} = 0 to 8 step 4 {
// CHECK-COUNT-4:  affine.vector_load
// CHECK-COUNT-8:  vector.shuffle %{{.*}} [{{0, 1, 4, 5, 8, 9, 12, 13|2, 3, 6, 7, 10, 11, 14, 15}}]
// CHECK-NOT:      vector.shuffle
// CHECK-COUNT-4:  affine.vector_store
func.func @transpose(%x: memref<8x8x2xf64>, %y: memref<8x8x2xf64>) {
  affine.for %i = 0 to 8 {
    affine.for %q = 0 to 8 {
      %re = affine.load %x[%q, %i, 0] : memref<8x8x2xf64>
      %im = affine.load %x[%q, %i, 1] : memref<8x8x2xf64>
      affine.store %re, %y[%i, %q, 0] : memref<8x8x2xf64>
      affine.store %im, %y[%i, %q, 1] : memref<8x8x2xf64>
    } {weft.lane}
  } {weft.transpose}
  return
}
}
