// RUN: cat %target_portable %s | weft-opt - --vectorize-complex | FileCheck %s
// Vectors of 128 bits hold two numbers of c64: three rows of two lanes are three vectors of memory, and
// one shuffle each. With a gap between the lanes there are none.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @odd
// CHECK-COUNT-3: affine.vector_load {{.*}} vector<4xf32>
// CHECK-COUNT-3: vector.shuffle
// CHECK-NOT:     vector.shuffle
// CHECK:      affine.vector_store %{{.*}}, %arg1[%[[I:.*]], 0, 0]
// CHECK-NEXT: affine.vector_store %{{.*}}, %arg1[%[[I]], 2, 0]
// CHECK-NEXT: affine.vector_store %{{.*}}, %arg1[%[[I]] + 1, 1, 0]
func.func @odd(%x: memref<3x8x2xf32>, %y: memref<8x3x2xf32>) {
  affine.for %i = 0 to 8 {
    %0 = affine.load %x[0, %i, 0] : memref<3x8x2xf32>
    %1 = affine.load %x[0, %i, 1] : memref<3x8x2xf32>
    %2 = affine.load %x[1, %i, 0] : memref<3x8x2xf32>
    %3 = affine.load %x[1, %i, 1] : memref<3x8x2xf32>
    %4 = affine.load %x[2, %i, 0] : memref<3x8x2xf32>
    %5 = affine.load %x[2, %i, 1] : memref<3x8x2xf32>
    affine.store %0, %y[%i, 0, 0] : memref<8x3x2xf32>
    affine.store %1, %y[%i, 0, 1] : memref<8x3x2xf32>
    affine.store %2, %y[%i, 1, 0] : memref<8x3x2xf32>
    affine.store %3, %y[%i, 1, 1] : memref<8x3x2xf32>
    affine.store %4, %y[%i, 2, 0] : memref<8x3x2xf32>
    affine.store %5, %y[%i, 2, 1] : memref<8x3x2xf32>
  } {weft.lane}
  return
}

// CHECK-LABEL: func.func @gaps
// CHECK-NOT: affine.vector_store
func.func @gaps(%x: memref<3x8x2xf32>, %y: memref<8x4x2xf32>) {
  affine.for %i = 0 to 8 {
    %0 = affine.load %x[0, %i, 0] : memref<3x8x2xf32>
    %1 = affine.load %x[0, %i, 1] : memref<3x8x2xf32>
    %2 = affine.load %x[1, %i, 0] : memref<3x8x2xf32>
    %3 = affine.load %x[1, %i, 1] : memref<3x8x2xf32>
    %4 = affine.load %x[2, %i, 0] : memref<3x8x2xf32>
    %5 = affine.load %x[2, %i, 1] : memref<3x8x2xf32>
    affine.store %0, %y[%i, 0, 0] : memref<8x4x2xf32>
    affine.store %1, %y[%i, 0, 1] : memref<8x4x2xf32>
    affine.store %2, %y[%i, 1, 0] : memref<8x4x2xf32>
    affine.store %3, %y[%i, 1, 1] : memref<8x4x2xf32>
    affine.store %4, %y[%i, 2, 0] : memref<8x4x2xf32>
    affine.store %5, %y[%i, 2, 1] : memref<8x4x2xf32>
  } {weft.lane}
  return
}
}
