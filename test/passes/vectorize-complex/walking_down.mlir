// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// An index that falls as the loop goes on: the last lane is the first in memory.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @mirrored
// CHECK:      affine.for %[[I:.*]] = 0 to 16 step 8
// CHECK-NEXT: %[[LOW:.*]] = affine.vector_load %arg0[-%[[I]] + 8, 0]
// CHECK-NEXT: %[[HIGH:.*]] = affine.vector_load %arg0[-%[[I]] + 12, 0]
// CHECK-NEXT: %[[RE:.*]] = vector.shuffle %[[LOW]], %[[HIGH]] [14, 12, 10, 8, 6, 4, 2, 0]
// CHECK-NEXT: %[[IM:.*]] = vector.shuffle %[[LOW]], %[[HIGH]] [15, 13, 11, 9, 7, 5, 3, 1]
// CHECK-NEXT: %[[NEG:.*]] = arith.negf %[[IM]] : vector<8xf64>
// CHECK-NEXT: %[[FIRST:.*]] = vector.shuffle %[[RE]], %[[NEG]] [7, 15, 6, 14, 5, 13, 4, 12]
// CHECK-NEXT: affine.vector_store %[[FIRST]], %arg1[-%[[I]] + 8, 0]
// CHECK-NEXT: %[[SECOND:.*]] = vector.shuffle %[[RE]], %[[NEG]] [3, 11, 2, 10, 1, 9, 0, 8]
// CHECK-NEXT: affine.vector_store %[[SECOND]], %arg1[-%[[I]] + 12, 0]
// CHECK-NOT:  affine.load
func.func @mirrored(%x: memref<16x2xf64>, %y: memref<16x2xf64>) {
  affine.for %i = 0 to 16 {
    %re = affine.load %x[15 - %i, 0] : memref<16x2xf64>
    %im = affine.load %x[15 - %i, 1] : memref<16x2xf64>
    %neg = arith.negf %im : f64
    affine.store %re, %y[15 - %i, 0] : memref<16x2xf64>
    affine.store %neg, %y[15 - %i, 1] : memref<16x2xf64>
  } {weft.lane}
  return
}

// CHECK-LABEL: func.func @real
// CHECK:      affine.for %[[I:.*]] = 0 to 16 step 8
// CHECK-NEXT: %[[UP:.*]] = affine.vector_load %arg0[-%[[I]] + 8]
// CHECK-NEXT: %[[DOWN:.*]] = vector.shuffle %[[UP]], %[[UP]] [7, 6, 5, 4, 3, 2, 1, 0]
// CHECK-NEXT: %[[NEG:.*]] = arith.negf %[[DOWN]]
// CHECK-NEXT: affine.vector_store %[[NEG]], %arg1[%[[I]]]
// CHECK-NEXT: %[[AGAIN:.*]] = vector.shuffle %[[NEG]], %[[NEG]] [7, 6, 5, 4, 3, 2, 1, 0]
// CHECK-NEXT: affine.vector_store %[[AGAIN]], %arg1[-%[[I]] + 24]
func.func @real(%x: memref<16xf64>, %y: memref<32xf64>) {
  affine.for %i = 0 to 16 {
    %v = affine.load %x[15 - %i] : memref<16xf64>
    %n = arith.negf %v : f64
    affine.store %n, %y[%i] : memref<32xf64>
    affine.store %n, %y[31 - %i] : memref<32xf64>
  } {weft.lane}
  return
}
}
