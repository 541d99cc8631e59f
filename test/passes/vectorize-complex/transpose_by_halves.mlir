// Where a shuffle takes two lanes of each operand, squares of four are turned by eight of them: the
// halves of rows first. Numbers of 32 bits take lanes of 64, so that four fill a vector, too.
// RUN: cat %target_sw26010 %s | weft-opt - --vectorize-complex | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @turned
// CHECK: affine.for %[[I:.*]] = 0 to 8 step 4 {
// CHECK:   affine.for %[[Q:.*]] = 0 to 4 step 4 {
// CHECK-COUNT-4: affine.vector_load %{{.*}} : memref<4x8xf32>, vector<4xf32>
// CHECK:     vector.shuffle %{{.*}}, %{{.*}} [0, 1, 4, 5]
// CHECK:     vector.shuffle %{{.*}}, %{{.*}} [0, 1, 4, 5]
// CHECK:     vector.shuffle %{{.*}}, %{{.*}} [0, 2, 4, 6]
// CHECK:     vector.shuffle %{{.*}}, %{{.*}} [1, 3, 5, 7]
// CHECK:     vector.shuffle %{{.*}}, %{{.*}} [2, 3, 6, 7]
// CHECK:     vector.shuffle %{{.*}}, %{{.*}} [2, 3, 6, 7]
// CHECK:     vector.shuffle %{{.*}}, %{{.*}} [0, 2, 4, 6]
// CHECK:     vector.shuffle %{{.*}}, %{{.*}} [1, 3, 5, 7]
// CHECK-NOT: vector.shuffle
// CHECK-COUNT-4: affine.vector_store
func.func @turned() {
  cpe.cores {
    %x = memref.alloca() : memref<4x8xf32>
    %t = memref.alloca() : memref<8x4xf32>
    affine.for %i = 0 to 8 {
      affine.for %q = 0 to 4 {
        %v = affine.load %x[%q, %i] : memref<4x8xf32>
        affine.store %v, %t[%i, %q] : memref<8x4xf32>
      } {weft.lane}
    } {weft.transpose}
  }
  return
}
}
