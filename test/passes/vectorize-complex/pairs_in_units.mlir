// RUN: cat %target_avx2 %s | weft-opt - --vectorize-complex | FileCheck %s
// Vectors of two units of 128 bits hold four numbers of c64: neighbours of a line come together within
// units, then units change places as wholes.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @odd
// CHECK:      %[[X0:.*]] = affine.vector_load %arg0[0,
// CHECK:      %[[X1:.*]] = affine.vector_load %arg0[1,
// CHECK:      %[[X2:.*]] = affine.vector_load %arg0[2,
// CHECK-NEXT: %[[A:.*]] = vector.shuffle %[[X0]], %[[X1]] [0, 1, 8, 9, 4, 5, 12, 13]
// CHECK-NEXT: %[[B:.*]] = vector.shuffle %[[X0]], %[[X2]] [8, 9, 2, 3, 12, 13, 6, 7]
// CHECK-NEXT: %[[C:.*]] = vector.shuffle %[[X1]], %[[X2]] [2, 3, 10, 11, 6, 7, 14, 15]
// CHECK-NEXT: vector.shuffle %[[A]], %[[B]] [0, 1, 2, 3, 8, 9, 10, 11]
// CHECK-NEXT: vector.shuffle %[[A]], %[[C]] [8, 9, 10, 11, 4, 5, 6, 7]
// CHECK-NEXT: vector.shuffle %[[B]], %[[C]] [4, 5, 6, 7, 12, 13, 14, 15]
// CHECK-NOT:  vector.shuffle
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

// From memory the same the other way: units first, two lines of two elements a vector.
// CHECK-LABEL: func.func @even_loads
// CHECK:      %[[X0:.*]] = affine.vector_load %arg0[%[[I:.*]], 0,
// CHECK-NEXT: %[[X1:.*]] = affine.vector_load %arg0[%[[I]] + 2, 0,
// CHECK-NEXT: %[[A:.*]] = vector.shuffle %[[X0]], %[[X1]] [0, 1, 2, 3, 8, 9, 10, 11]
// CHECK-NEXT: %[[B:.*]] = vector.shuffle %[[X0]], %[[X1]] [4, 5, 6, 7, 12, 13, 14, 15]
// CHECK-NEXT: vector.shuffle %[[A]], %[[B]] [0, 1, 8, 9, 4, 5, 12, 13]
// CHECK-NEXT: vector.shuffle %[[A]], %[[B]] [2, 3, 10, 11, 6, 7, 14, 15]
// CHECK-NOT:  vector.shuffle
func.func @even_loads(%x: memref<8x2x2xf32>, %y: memref<2x8x2xf32>) {
  affine.for %i = 0 to 8 {
    %0 = affine.load %x[%i, 0, 0] : memref<8x2x2xf32>
    %1 = affine.load %x[%i, 0, 1] : memref<8x2x2xf32>
    %2 = affine.load %x[%i, 1, 0] : memref<8x2x2xf32>
    %3 = affine.load %x[%i, 1, 1] : memref<8x2x2xf32>
    affine.store %0, %y[0, %i, 0] : memref<2x8x2xf32>
    affine.store %1, %y[0, %i, 1] : memref<2x8x2xf32>
    affine.store %2, %y[1, %i, 0] : memref<2x8x2xf32>
    affine.store %3, %y[1, %i, 1] : memref<2x8x2xf32>
  } {weft.lane}
  return
}
}
