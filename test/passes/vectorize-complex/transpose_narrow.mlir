// Of rows shorter than a vector squares are there in part: rows are loaded under a mask and fewer
// vectors are stored, or fewer are loaded and stored under a mask. Rows of a plane share its lines
// and go between the loops over squares.
// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex --canonicalize | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @into
// CHECK-DAG:   %[[MASK:.*]] = arith.constant dense<[true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false]>
// CHECK:       affine.for %[[C:.*]] = 0 to 32 step 16 {
// CHECK-NEXT:    affine.for %[[ROW:.*]] = 0 to 14 {
// CHECK-COUNT-16:  vector.maskedload %arg0[{{.*}}], %[[MASK]]
// CHECK:           vector.shuffle
// CHECK-COUNT-14:  affine.vector_store %{{.*}}, %arg1[
// CHECK-NOT:       affine.vector_store
// CHECK-NOT:   affine.load
// CHECK:       return
func.func @into(%x: memref<32x14x14xf32>, %to: memref<14x14x32xf32>) {
  affine.for %row = 0 to 14 {
    affine.for %column = 0 to 14 {
      affine.for %c = 0 to 32 {
        %e = affine.load %x[%c, %row, %column] : memref<32x14x14xf32>
        affine.store %e, %to[%row, %column, %c] : memref<14x14x32xf32>
      } {weft.independent, weft.lane}
    } {weft.independent, weft.transpose}
  } {weft.independent}
  return
}
// What is computed with on the way: all else is loaded and stored under the mask, too. The last
// square along whole vectors begins earlier.
// CHECK-LABEL: func.func @out
// CHECK:          affine.for %{{.*}} = 0 to 32 step 16 {
// CHECK-COUNT-7:  affine.vector_load %arg0
// CHECK-NOT:      affine.vector_load
// CHECK-COUNT-16: vector.maskedstore %arg2[
// CHECK-COUNT-7:  affine.vector_load %arg0
// CHECK-COUNT-16: vector.maskedstore %arg2[
// CHECK:          return
func.func @out(%from: memref<7x40xf32>, %b: memref<40xf32>, %y: memref<40x7xf32>) {
  affine.for %c = 0 to 40 {
    affine.for %column = 0 to 7 {
      %e = affine.load %from[%column, %c] : memref<7x40xf32>
      %bias = affine.load %b[%c] : memref<40xf32>
      %s = arith.addf %e, %bias : f32
      affine.store %s, %y[%c, %column] : memref<40x7xf32>
    } {weft.independent, weft.lane}
  } {weft.independent, weft.transpose}
  return
}
// Less than half of one square: a vector for each column.
// CHECK-LABEL: func.func @one
// CHECK-NOT:   vector.maskedload
// CHECK:       return
func.func @one(%x: memref<16x7xf32>, %to: memref<7x16xf32>) {
  affine.for %column = 0 to 7 {
    affine.for %c = 0 to 16 {
      %e = affine.load %x[%c, %column] : memref<16x7xf32>
      affine.store %e, %to[%column, %c] : memref<7x16xf32>
    } {weft.independent, weft.lane}
  } {weft.independent, weft.transpose}
  return
}
// Integers, which no mask is for.
// CHECK-LABEL: func.func @integers
// CHECK-NOT:   vector.maskedload
// CHECK:       return
func.func @integers(%x: memref<40x14xi32>, %to: memref<14x40xi32>) {
  affine.for %row = 0 to 14 {
    affine.for %column = 0 to 40 {
      %e = affine.load %x[%column, %row] : memref<40x14xi32>
      affine.store %e, %to[%row, %column] : memref<14x40xi32>
    } {weft.independent, weft.lane}
  } {weft.independent, weft.transpose}
  return
}
}
