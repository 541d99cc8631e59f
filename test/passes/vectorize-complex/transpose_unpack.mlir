// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// 8 rows (re and im of 4 elements) become 8 lines in 24 single-instruction shuffles.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @unpack
// CHECK-COUNT-8:  affine.vector_load
// CHECK-NOT:      affine.vector_load
// CHECK:          vector.shuffle %{{.*}} [0, 8, 2, 10, 4, 12, 6, 14]
// CHECK:          vector.shuffle %{{.*}} [1, 9, 3, 11, 5, 13, 7, 15]
// CHECK:          vector.shuffle %{{.*}} [0, 1, 4, 5, 8, 9, 12, 13]
// CHECK:          vector.shuffle %{{.*}} [2, 3, 6, 7, 10, 11, 14, 15]
// CHECK-COUNT-8:  affine.vector_store
// CHECK-NOT:      affine.store
func.func @unpack(%t: memref<4x2x8xf64>, %x: memref<8x4x2xf64>) {
  affine.for %i = 0 to 4 {
    affine.for %q = 0 to 8 {
      %re = affine.load %t[%i, 0, %q] : memref<4x2x8xf64>
      %im = affine.load %t[%i, 1, %q] : memref<4x2x8xf64>
      affine.store %re, %x[%q, %i, 0] : memref<8x4x2xf64>
      affine.store %im, %x[%q, %i, 1] : memref<8x4x2xf64>
    } {weft.lane}
  } {weft.transpose}
  return
}
}
