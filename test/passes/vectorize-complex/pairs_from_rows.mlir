// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --vectorize-complex | FileCheck %s --check-prefix=ALIGNED
// Lines one behind the other, of which each lane reads one: vectors of memory, turned in registers, whatever
// the lines' length is. Not where vectors have to lie at multiples of their size.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @three
// CHECK:      affine.vector_load %arg0[%[[I:.*]], 0, 0]
// CHECK-NEXT: affine.vector_load %arg0[%[[I]] + 1, 1, 0]
// CHECK-NEXT: affine.vector_load %arg0[%[[I]] + 2, 2, 0]
// CHECK-COUNT-6: vector.shuffle
// CHECK-NOT:     vector.shuffle
// CHECK-COUNT-3: affine.vector_store
// ALIGNED-LABEL: func.func @three
// ALIGNED-NOT:     affine.vector_load
func.func @three(%x: memref<8x3x2xf64>, %y: memref<3x8x2xf64>) {
  affine.for %i = 0 to 8 {
    %0 = affine.load %x[%i, 0, 0] : memref<8x3x2xf64>
    %1 = affine.load %x[%i, 0, 1] : memref<8x3x2xf64>
    %2 = affine.load %x[%i, 1, 0] : memref<8x3x2xf64>
    %3 = affine.load %x[%i, 1, 1] : memref<8x3x2xf64>
    %4 = affine.load %x[%i, 2, 0] : memref<8x3x2xf64>
    %5 = affine.load %x[%i, 2, 1] : memref<8x3x2xf64>
    affine.store %0, %y[0, %i, 0] : memref<3x8x2xf64>
    affine.store %1, %y[0, %i, 1] : memref<3x8x2xf64>
    affine.store %2, %y[1, %i, 0] : memref<3x8x2xf64>
    affine.store %3, %y[1, %i, 1] : memref<3x8x2xf64>
    affine.store %4, %y[2, %i, 0] : memref<3x8x2xf64>
    affine.store %5, %y[2, %i, 1] : memref<3x8x2xf64>
  } {weft.lane}
  return
}

// Squares may have gaps between their lanes. Halves are put together first, as loads can do it too.
// CHECK-LABEL: func.func @four
// CHECK:      affine.vector_load %arg0[%[[I:.*]], 0, 0]
// CHECK-NEXT: affine.vector_load %arg0[%[[I]] + 1, 0, 0]
// CHECK-NEXT: affine.vector_load %arg0[%[[I]] + 2, 0, 0]
// CHECK-NEXT: affine.vector_load %arg0[%[[I]] + 3, 0, 0]
// CHECK-NEXT: vector.shuffle %{{.*}} [0, 1, 2, 3, 8, 9, 10, 11]
// CHECK-NEXT: vector.shuffle %{{.*}} [4, 5, 6, 7, 12, 13, 14, 15]
// CHECK-COUNT-2: vector.shuffle
// CHECK-NEXT: vector.shuffle %{{.*}} [0, 1, 4, 5, 8, 9, 12, 13]
// CHECK-COUNT-3: vector.shuffle
// CHECK-COUNT-4: affine.vector_store
func.func @four(%x: memref<8x5x2xf64>, %y: memref<4x8x2xf64>) {
  affine.for %i = 0 to 8 {
    %0 = affine.load %x[%i, 0, 0] : memref<8x5x2xf64>
    %1 = affine.load %x[%i, 0, 1] : memref<8x5x2xf64>
    %2 = affine.load %x[%i, 1, 0] : memref<8x5x2xf64>
    %3 = affine.load %x[%i, 1, 1] : memref<8x5x2xf64>
    %4 = affine.load %x[%i, 2, 0] : memref<8x5x2xf64>
    %5 = affine.load %x[%i, 2, 1] : memref<8x5x2xf64>
    %6 = affine.load %x[%i, 3, 0] : memref<8x5x2xf64>
    %7 = affine.load %x[%i, 3, 1] : memref<8x5x2xf64>
    affine.store %0, %y[0, %i, 0] : memref<4x8x2xf64>
    affine.store %1, %y[0, %i, 1] : memref<4x8x2xf64>
    affine.store %2, %y[1, %i, 0] : memref<4x8x2xf64>
    affine.store %3, %y[1, %i, 1] : memref<4x8x2xf64>
    affine.store %4, %y[2, %i, 0] : memref<4x8x2xf64>
    affine.store %5, %y[2, %i, 1] : memref<4x8x2xf64>
    affine.store %6, %y[3, %i, 0] : memref<4x8x2xf64>
    affine.store %7, %y[3, %i, 1] : memref<4x8x2xf64>
  } {weft.lane}
  return
}

// A store between the loads might be what a later one reads.
// CHECK-LABEL: func.func @between
// CHECK-NOT: affine.vector_load
func.func @between(%x: memref<8x2x2xf64>) {
  affine.for %i = 0 to 8 {
    %0 = affine.load %x[%i, 0, 0] : memref<8x2x2xf64>
    %1 = affine.load %x[%i, 0, 1] : memref<8x2x2xf64>
    affine.store %1, %x[%i, 0, 0] : memref<8x2x2xf64>
    affine.store %0, %x[%i, 0, 1] : memref<8x2x2xf64>
    %2 = affine.load %x[%i, 1, 0] : memref<8x2x2xf64>
    %3 = affine.load %x[%i, 1, 1] : memref<8x2x2xf64>
    affine.store %3, %x[%i, 1, 0] : memref<8x2x2xf64>
    affine.store %2, %x[%i, 1, 1] : memref<8x2x2xf64>
  } {weft.lane}
  return
}
}
