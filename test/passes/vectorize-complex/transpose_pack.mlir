// RUN: cat %target_portable %s | weft-opt - --vectorize-complex | FileCheck %s
// Two interleaved lines become split rows by one unpack pair; the odd line goes with the
// one before it once more.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @pack
// CHECK: affine.for %[[I:.*]] = 0 to 4 {
// CHECK:   affine.for %[[Q:.*]] = 0 to 2 step 2 {
// CHECK:     %[[A:.*]] = affine.vector_load %{{.*}}[%[[Q]], %[[I]], 0]
// CHECK:     %[[B:.*]] = affine.vector_load %{{.*}}[%[[Q]] + 1, %[[I]], 0]
// CHECK:     %[[RE:.*]] = vector.shuffle %[[A]], %[[B]] [0, 2]
// CHECK:     %[[IM:.*]] = vector.shuffle %[[A]], %[[B]] [1, 3]
// CHECK:     affine.vector_store %[[RE]], %{{.*}}[%[[I]], 0, %[[Q]]]
// CHECK:     affine.vector_store %[[IM]], %{{.*}}[%[[I]], 1, %[[Q]]]
// CHECK:   }
// CHECK:   %[[LAST:.*]] = arith.constant 1 : index
// CHECK:   affine.vector_load %{{.*}}[%[[LAST]], %[[I]], 0]
// CHECK:   affine.vector_load %{{.*}}[%[[LAST]] + 1, %[[I]], 0]
// CHECK-NOT: affine.load
func.func @pack(%x: memref<3x4x2xf64>, %t: memref<4x2x3xf64>) {
  affine.for %i = 0 to 4 {
    affine.for %q = 0 to 3 {
      %re = affine.load %x[%q, %i, 0] : memref<3x4x2xf64>
      %im = affine.load %x[%q, %i, 1] : memref<3x4x2xf64>
      affine.store %re, %t[%i, 0, %q] : memref<4x2x3xf64>
      affine.store %im, %t[%i, 1, %q] : memref<4x2x3xf64>
    } {weft.lane}
  } {weft.transpose}
  return
}
}
