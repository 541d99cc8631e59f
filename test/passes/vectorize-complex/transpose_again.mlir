// RUN: cat %target_portable %s | weft-opt - --vectorize-complex | FileCheck %s
// Lines of five points, packed in an array of the block and unpacked: the fifth goes with the fourth once
// more, whose rows in the block are stored, or read, a second time as a whole. Of six lines two go one by
// one: a vector of the block that begins earlier would overlap the one before it.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @points
// CHECK:       %[[T:.*]] = memref.alloca
// CHECK:       affine.for %{{.*}} = 0 to 4 step 4
// CHECK:       affine.for %[[LAST:.*]] = 1 to 5 step 4
// CHECK:       affine.vector_load %arg0[%{{.*}}, %[[LAST]]]
// CHECK:       affine.vector_store %{{.*}}, %[[T]][%[[LAST]], %{{.*}}]
// CHECK:       affine.for %[[END:.*]] = 1 to 5 step 4
// CHECK:       affine.vector_load %[[T]][%[[END]], %{{.*}}]
// CHECK:       affine.vector_store %{{.*}}, %arg1[%{{.*}}, %[[END]]]
// CHECK-NOT:   affine.load
func.func @points(%x: memref<4x5xf32>, %y: memref<4x5xf32>) {
  %t = memref.alloca() : memref<5x4xf32>
  affine.for %i = 0 to 5 {
    affine.for %q = 0 to 4 {
      %a = affine.load %x[%q, %i] : memref<4x5xf32>
      affine.store %a, %t[%i, %q] : memref<5x4xf32>
    } {weft.lane}
  } {weft.transpose}
  affine.for %i = 0 to 5 {
    affine.for %q = 0 to 4 {
      %a = affine.load %t[%i, %q] : memref<5x4xf32>
      affine.store %a, %y[%q, %i] : memref<4x5xf32>
    } {weft.lane}
  } {weft.transpose}
  return
}

// CHECK-LABEL: func.func @lines
// CHECK:       affine.vector_store
// CHECK:       affine.for %{{.*}} = 4 to 6 {
// CHECK-NEXT:    affine.load
func.func @lines(%x: memref<6x4xf32>) {
  %t = memref.alloca() : memref<4x6xf32>
  affine.for %i = 0 to 4 {
    affine.for %q = 0 to 6 {
      %a = affine.load %x[%q, %i] : memref<6x4xf32>
      affine.store %a, %t[%i, %q] : memref<4x6xf32>
    } {weft.lane}
  } {weft.transpose}
  return
}
}
