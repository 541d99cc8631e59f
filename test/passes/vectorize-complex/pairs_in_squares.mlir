// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// Elements side by side, whose lanes lie apart: four vectors are turned and stored whole.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @turned
// CHECK-COUNT-4: affine.vector_load
// CHECK-COUNT-8: vector.shuffle
// CHECK:      affine.vector_store %{{.*}}, %arg1[%[[I:.*]], 0, 0]
// CHECK-NEXT: affine.vector_store %{{.*}}, %arg1[%[[I]] + 1, 0, 0]
// CHECK-NEXT: affine.vector_store %{{.*}}, %arg1[%[[I]] + 2, 0, 0]
// CHECK-NEXT: affine.vector_store %{{.*}}, %arg1[%[[I]] + 3, 0, 0]
func.func @turned(%x: memref<4x8x2xf64>, %y: memref<8x4x2xf64>) {
  affine.for %i = 0 to 8 {
    %0 = affine.load %x[0, %i, 0] : memref<4x8x2xf64>
    %1 = affine.load %x[0, %i, 1] : memref<4x8x2xf64>
    %2 = affine.load %x[1, %i, 0] : memref<4x8x2xf64>
    %3 = affine.load %x[1, %i, 1] : memref<4x8x2xf64>
    %4 = affine.load %x[2, %i, 0] : memref<4x8x2xf64>
    %5 = affine.load %x[2, %i, 1] : memref<4x8x2xf64>
    %6 = affine.load %x[3, %i, 0] : memref<4x8x2xf64>
    %7 = affine.load %x[3, %i, 1] : memref<4x8x2xf64>
    affine.store %0, %y[%i, 0, 0] : memref<8x4x2xf64>
    affine.store %1, %y[%i, 0, 1] : memref<8x4x2xf64>
    affine.store %2, %y[%i, 1, 0] : memref<8x4x2xf64>
    affine.store %3, %y[%i, 1, 1] : memref<8x4x2xf64>
    affine.store %4, %y[%i, 2, 0] : memref<8x4x2xf64>
    affine.store %5, %y[%i, 2, 1] : memref<8x4x2xf64>
    affine.store %6, %y[%i, 3, 0] : memref<8x4x2xf64>
    affine.store %7, %y[%i, 3, 1] : memref<8x4x2xf64>
  } {weft.lane}
  return
}

// Three of them fill no square, but lanes follow one another: two shuffles a row, the second of which
// leaves elements where they are.
// CHECK-LABEL: func.func @three
// CHECK-COUNT-3: affine.vector_load
// CHECK-COUNT-3: vector.shuffle
// CHECK:         vector.shuffle %{{.*}} [0, 1, 2, 3, 12, 13, 14, 15]
// CHECK:         vector.shuffle %{{.*}} [8, 9, 10, 11, 4, 5, 6, 7]
// CHECK:         vector.shuffle %{{.*}} [0, 1, 2, 3, 12, 13, 14, 15]
// CHECK:      affine.vector_store %{{.*}}, %arg1[%[[I:.*]], 0, 0]
// CHECK-NEXT: affine.vector_store %{{.*}}, %arg1[%[[I]] + 1, 1, 0]
// CHECK-NEXT: affine.vector_store %{{.*}}, %arg1[%[[I]] + 2, 2, 0]
func.func @three(%x: memref<3x8x2xf64>, %y: memref<8x3x2xf64>) {
  affine.for %i = 0 to 8 {
    %0 = affine.load %x[0, %i, 0] : memref<3x8x2xf64>
    %1 = affine.load %x[0, %i, 1] : memref<3x8x2xf64>
    %2 = affine.load %x[1, %i, 0] : memref<3x8x2xf64>
    %3 = affine.load %x[1, %i, 1] : memref<3x8x2xf64>
    %4 = affine.load %x[2, %i, 0] : memref<3x8x2xf64>
    %5 = affine.load %x[2, %i, 1] : memref<3x8x2xf64>
    affine.store %0, %y[%i, 0, 0] : memref<8x3x2xf64>
    affine.store %1, %y[%i, 0, 1] : memref<8x3x2xf64>
    affine.store %2, %y[%i, 1, 0] : memref<8x3x2xf64>
    affine.store %3, %y[%i, 1, 1] : memref<8x3x2xf64>
    affine.store %4, %y[%i, 2, 0] : memref<8x3x2xf64>
    affine.store %5, %y[%i, 2, 1] : memref<8x3x2xf64>
  } {weft.lane}
  return
}

// With a gap between the lanes they are stored one by one.
// CHECK-LABEL: func.func @gaps
// CHECK-NOT: affine.vector_store
func.func @gaps(%x: memref<3x8x2xf64>, %y: memref<8x4x2xf64>) {
  affine.for %i = 0 to 8 {
    %0 = affine.load %x[0, %i, 0] : memref<3x8x2xf64>
    %1 = affine.load %x[0, %i, 1] : memref<3x8x2xf64>
    %2 = affine.load %x[1, %i, 0] : memref<3x8x2xf64>
    %3 = affine.load %x[1, %i, 1] : memref<3x8x2xf64>
    %4 = affine.load %x[2, %i, 0] : memref<3x8x2xf64>
    %5 = affine.load %x[2, %i, 1] : memref<3x8x2xf64>
    affine.store %0, %y[%i, 0, 0] : memref<8x4x2xf64>
    affine.store %1, %y[%i, 0, 1] : memref<8x4x2xf64>
    affine.store %2, %y[%i, 1, 0] : memref<8x4x2xf64>
    affine.store %3, %y[%i, 1, 1] : memref<8x4x2xf64>
    affine.store %4, %y[%i, 2, 0] : memref<8x4x2xf64>
    affine.store %5, %y[%i, 2, 1] : memref<8x4x2xf64>
  } {weft.lane}
  return
}
}
