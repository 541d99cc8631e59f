// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// RUN: cat %target_avx2 %s | weft-opt - --vectorize-complex | FileCheck %s --check-prefix=PLAIN
// Three complex numbers do not fill a vector of four: the others are left out of loads and stores,
// where the target can.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @three
// CHECK-DAG:     %[[MASK:.*]] = arith.constant dense<[true, true, true, true, true, true, false, false]> : vector<8xi1>
// CHECK:         vector.maskedload %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}], %[[MASK]]
// CHECK:         arith.addf {{.*}} : vector<8xf64>
// CHECK:         vector.maskedstore %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}], %[[MASK]]
// PLAIN-LABEL: func.func @three
// PLAIN-NOT:     vector.maskedload
func.func @three(%x: memref<5x3x2xf64>, %z: memref<5x3x2xf64>) {
  affine.for %p = 0 to 4 {
    affine.for %i = 0 to 3 {
      %ar = affine.load %x[%p, %i, 0] : memref<5x3x2xf64>
      %ai = affine.load %x[%p, %i, 1] : memref<5x3x2xf64>
      %br = affine.load %x[%p + 1, %i, 0] : memref<5x3x2xf64>
      %bi = affine.load %x[%p + 1, %i, 1] : memref<5x3x2xf64>
      %re = arith.addf %ar, %br : f64
      %im = arith.addf %ai, %bi : f64
      affine.store %re, %z[%p, %i, 0] : memref<5x3x2xf64>
      affine.store %im, %z[%p, %i, 1] : memref<5x3x2xf64>
    } {weft.lane}
  }
  return
}

// One iteration is a scalar.
// CHECK-LABEL: func.func @one
// CHECK-NOT:     vector.maskedload
// CHECK:         return
func.func @one(%x: memref<5x1x2xf64>, %z: memref<5x1x2xf64>) {
  affine.for %p = 0 to 4 {
    affine.for %i = 0 to 1 {
      %ar = affine.load %x[%p, %i, 0] : memref<5x1x2xf64>
      %ai = affine.load %x[%p, %i, 1] : memref<5x1x2xf64>
      affine.store %ar, %z[%p, %i, 0] : memref<5x1x2xf64>
      affine.store %ai, %z[%p, %i, 1] : memref<5x1x2xf64>
    } {weft.lane}
  }
  return
}
// What is left behind whole vectors, too, where the loop may not do some again as it reads what it
// stores. Rows that are turned in registers are left out as a whole, or, where they follow one another
// without a gap, to where the last one ends.
// CHECK-LABEL: func.func @rows
// CHECK:         affine.for %{{.*}} = 0 to 4 step 4
// CHECK:         affine.for %[[I:.*]] = 4 to 8 step 4
// CHECK-COUNT-2: affine.vector_load {{.*}} vector<8xf64>
// CHECK-NOT:     load
// CHECK-COUNT-2: affine.vector_store {{.*}} vector<8xf64>
// CHECK-NOT:     store
// CHECK:         return
func.func @rows(%x: memref<6x4x2xf64>) {
  affine.for %i = 0 to 6 {
    %0 = affine.load %x[%i, 0, 0] : memref<6x4x2xf64>
    %1 = affine.load %x[%i, 0, 1] : memref<6x4x2xf64>
    %2 = affine.load %x[%i, 1, 0] : memref<6x4x2xf64>
    %3 = affine.load %x[%i, 1, 1] : memref<6x4x2xf64>
    %4 = affine.load %x[%i, 2, 0] : memref<6x4x2xf64>
    %5 = affine.load %x[%i, 2, 1] : memref<6x4x2xf64>
    %6 = affine.load %x[%i, 3, 0] : memref<6x4x2xf64>
    %7 = affine.load %x[%i, 3, 1] : memref<6x4x2xf64>
    affine.store %6, %x[%i, 0, 0] : memref<6x4x2xf64>
    affine.store %7, %x[%i, 0, 1] : memref<6x4x2xf64>
    affine.store %4, %x[%i, 1, 0] : memref<6x4x2xf64>
    affine.store %5, %x[%i, 1, 1] : memref<6x4x2xf64>
    affine.store %2, %x[%i, 2, 0] : memref<6x4x2xf64>
    affine.store %3, %x[%i, 2, 1] : memref<6x4x2xf64>
    affine.store %0, %x[%i, 3, 0] : memref<6x4x2xf64>
    affine.store %1, %x[%i, 3, 1] : memref<6x4x2xf64>
  } {weft.lane}
  return
}

// Two rows of three are one vector and a half.
// CHECK-LABEL: func.func @slab
// CHECK-DAG:     arith.constant dense<[true, true, true, true, false, false, false, false]> : vector<8xi1>
// CHECK:         affine.for %{{.*}} = 4 to 8 step 4
// CHECK:         affine.vector_load {{.*}} vector<8xf64>
// CHECK:         vector.maskedload
// CHECK-NOT:     load
// CHECK:         affine.vector_store {{.*}} vector<8xf64>
// CHECK:         vector.maskedstore
// CHECK-NOT:     store
// CHECK:         return
func.func @slab(%x: memref<6x3x2xf64>) {
  affine.for %i = 0 to 6 {
    %0 = affine.load %x[%i, 0, 0] : memref<6x3x2xf64>
    %1 = affine.load %x[%i, 0, 1] : memref<6x3x2xf64>
    %2 = affine.load %x[%i, 1, 0] : memref<6x3x2xf64>
    %3 = affine.load %x[%i, 1, 1] : memref<6x3x2xf64>
    %4 = affine.load %x[%i, 2, 0] : memref<6x3x2xf64>
    %5 = affine.load %x[%i, 2, 1] : memref<6x3x2xf64>
    affine.store %4, %x[%i, 0, 0] : memref<6x3x2xf64>
    affine.store %5, %x[%i, 0, 1] : memref<6x3x2xf64>
    affine.store %2, %x[%i, 1, 0] : memref<6x3x2xf64>
    affine.store %3, %x[%i, 1, 1] : memref<6x3x2xf64>
    affine.store %0, %x[%i, 2, 0] : memref<6x3x2xf64>
    affine.store %1, %x[%i, 2, 1] : memref<6x3x2xf64>
  } {weft.lane}
  return
}
}
