// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// Four rows are fewer than a vector's eight numbers of c64, but lanes follow one another: two shuffles
// a row, in which first two elements of a lane come together and then four.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @dense
// CHECK-COUNT-4: affine.vector_load {{.*}} vector<16xf32>
// CHECK-COUNT-8: vector.shuffle
// CHECK-NOT:     vector.shuffle
// CHECK:      affine.vector_store %{{.*}}, %arg1[%[[I:.*]], 0, 0]
// CHECK-NEXT: affine.vector_store %{{.*}}, %arg1[%[[I]] + 2, 0, 0]
// CHECK-NEXT: affine.vector_store %{{.*}}, %arg1[%[[I]] + 4, 0, 0]
// CHECK-NEXT: affine.vector_store %{{.*}}, %arg1[%[[I]] + 6, 0, 0]
func.func @dense(%x: memref<4x8x2xf32>, %y: memref<8x4x2xf32>) {
  affine.for %i = 0 to 8 {
    %0 = affine.load %x[0, %i, 0] : memref<4x8x2xf32>
    %1 = affine.load %x[0, %i, 1] : memref<4x8x2xf32>
    %2 = affine.load %x[1, %i, 0] : memref<4x8x2xf32>
    %3 = affine.load %x[1, %i, 1] : memref<4x8x2xf32>
    %4 = affine.load %x[2, %i, 0] : memref<4x8x2xf32>
    %5 = affine.load %x[2, %i, 1] : memref<4x8x2xf32>
    %6 = affine.load %x[3, %i, 0] : memref<4x8x2xf32>
    %7 = affine.load %x[3, %i, 1] : memref<4x8x2xf32>
    affine.store %0, %y[%i, 0, 0] : memref<8x4x2xf32>
    affine.store %1, %y[%i, 0, 1] : memref<8x4x2xf32>
    affine.store %2, %y[%i, 1, 0] : memref<8x4x2xf32>
    affine.store %3, %y[%i, 1, 1] : memref<8x4x2xf32>
    affine.store %4, %y[%i, 2, 0] : memref<8x4x2xf32>
    affine.store %5, %y[%i, 2, 1] : memref<8x4x2xf32>
    affine.store %6, %y[%i, 3, 0] : memref<8x4x2xf32>
    affine.store %7, %y[%i, 3, 1] : memref<8x4x2xf32>
  } {weft.lane}
  return
}

// With a gap between the lanes they are stored one by one.
// CHECK-LABEL: func.func @gaps
// CHECK-NOT: affine.vector_store
func.func @gaps(%x: memref<4x8x2xf32>, %y: memref<8x5x2xf32>) {
  affine.for %i = 0 to 8 {
    %0 = affine.load %x[0, %i, 0] : memref<4x8x2xf32>
    %1 = affine.load %x[0, %i, 1] : memref<4x8x2xf32>
    %2 = affine.load %x[1, %i, 0] : memref<4x8x2xf32>
    %3 = affine.load %x[1, %i, 1] : memref<4x8x2xf32>
    %4 = affine.load %x[2, %i, 0] : memref<4x8x2xf32>
    %5 = affine.load %x[2, %i, 1] : memref<4x8x2xf32>
    %6 = affine.load %x[3, %i, 0] : memref<4x8x2xf32>
    %7 = affine.load %x[3, %i, 1] : memref<4x8x2xf32>
    affine.store %0, %y[%i, 0, 0] : memref<8x5x2xf32>
    affine.store %1, %y[%i, 0, 1] : memref<8x5x2xf32>
    affine.store %2, %y[%i, 1, 0] : memref<8x5x2xf32>
    affine.store %3, %y[%i, 1, 1] : memref<8x5x2xf32>
    affine.store %4, %y[%i, 2, 0] : memref<8x5x2xf32>
    affine.store %5, %y[%i, 2, 1] : memref<8x5x2xf32>
    affine.store %6, %y[%i, 3, 0] : memref<8x5x2xf32>
    affine.store %7, %y[%i, 3, 1] : memref<8x5x2xf32>
  } {weft.lane}
  return
}
}
