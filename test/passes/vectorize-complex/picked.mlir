// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// Elements two to four apart are picked from the vectors between them, none of which reaches beyond what the lanes read.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @second
// CHECK:      affine.for %[[I:.*]] = 0 to 16 step 8
// CHECK-NEXT: %[[LOW:.*]] = affine.vector_load %arg0[%[[I]] * 2]
// CHECK-NEXT: %[[HIGH:.*]] = affine.vector_load %arg0[%[[I]] * 2 + 7]
// CHECK-NEXT: %[[X:.*]] = vector.shuffle %[[LOW]], %[[HIGH]] [0, 2, 4, 6, 9, 11, 13, 15]
// CHECK-NEXT: affine.vector_store %[[X]]
func.func @second(%x: memref<31xf64>, %y: memref<16xf64>) {
  affine.for %i = 0 to 16 {
    %a = affine.load %x[2 * %i] : memref<31xf64>
    affine.store %a, %y[%i] : memref<16xf64>
  } {weft.lane}
  return
}

// Neighbours have their vectors in common.
// CHECK-LABEL: func.func @neighbours
// CHECK:      affine.for %[[I:.*]] = 0 to 16 step 8
// CHECK-NEXT: %[[LOW:.*]] = affine.vector_load %arg0[%[[I]] * 2]
// CHECK-NEXT: %[[HIGH:.*]] = affine.vector_load %arg0[%[[I]] * 2 + 8]
// CHECK-NEXT: %[[ODD:.*]] = vector.shuffle %[[LOW]], %[[HIGH]] [1, 3, 5, 7, 9, 11, 13, 15]
// CHECK-NEXT: %[[EVEN:.*]] = vector.shuffle %[[LOW]], %[[HIGH]] [0, 2, 4, 6, 8, 10, 12, 14]
// CHECK-NEXT: arith.subf %[[EVEN]], %[[ODD]]
// CHECK-NOT:  affine.load
func.func @neighbours(%x: memref<32xf64>, %y: memref<16xf64>) {
  affine.for %i = 0 to 16 {
    %b = affine.load %x[2 * %i + 1] : memref<32xf64>
    %a = affine.load %x[2 * %i] : memref<32xf64>
    %d = arith.subf %a, %b : f64
    affine.store %d, %y[%i] : memref<16xf64>
  } {weft.lane}
  return
}

// CHECK-LABEL: func.func @third
// CHECK:      %[[A:.*]] = affine.vector_load %arg0[%[[I:.*]], 1]
// CHECK-NEXT: %[[B:.*]] = affine.vector_load %arg0[%[[I]] + 3, 0]
// CHECK-NEXT: %[[C:.*]] = affine.vector_load %arg0[%[[I]] + 5, 0]
// CHECK-NEXT: %[[AB:.*]] = vector.shuffle %[[A]], %[[B]] [0, 3, 6, 9, 12, 15, 6, 7]
// CHECK-NEXT: vector.shuffle %[[AB]], %[[C]] [0, 1, 2, 3, 4, 5, 12, 15]
func.func @third(%x: memref<8x3xf64>, %y: memref<8xf64>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i, 1] : memref<8x3xf64>
    affine.store %a, %y[%i] : memref<8xf64>
  } {weft.lane}
  return
}

// From the last lane's element on, and so are pairs stored.
// CHECK-LABEL: func.func @down
// CHECK:      %[[LOW:.*]] = affine.vector_load %arg0[%[[I:.*]] * -2 + 16]
// CHECK-NEXT: %[[HIGH:.*]] = affine.vector_load %arg0[%[[I]] * -2 + 23]
// CHECK-NEXT: %[[X:.*]] = vector.shuffle %[[LOW]], %[[HIGH]] [15, 13, 11, 9, 6, 4, 2, 0]
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[X]]
// CHECK-NEXT: %[[FIRST:.*]] = vector.shuffle %[[X]], %[[N]] [0, 8, 1, 9, 2, 10, 3, 11]
// CHECK-NEXT: affine.vector_store %[[FIRST]], %arg1[%[[I]] * 2]
// CHECK-NEXT: %[[SECOND:.*]] = vector.shuffle %[[X]], %[[N]] [4, 12, 5, 13, 6, 14, 7, 15]
// CHECK-NEXT: affine.vector_store %[[SECOND]], %arg1[%[[I]] * 2 + 8]
// CHECK-NOT:  affine.store
func.func @down(%x: memref<32xf64>, %y: memref<32xf64>) {
  affine.for %i = 0 to 16 {
    %a = affine.load %x[30 - 2 * %i] : memref<32xf64>
    %n = arith.negf %a : f64
    affine.store %a, %y[2 * %i] : memref<32xf64>
    affine.store %n, %y[2 * %i + 1] : memref<32xf64>
  } {weft.lane}
  return
}
// Six results of every second element: the vectors that they are picked from are whole, the second one
// ends with the last of them; what is stored is not.
// CHECK-LABEL: func.func @six
// CHECK:      %[[A:.*]] = affine.vector_load %arg0[%[[I:.*]]] : memref<12xf64>, vector<8xf64>
// CHECK:      %[[B:.*]] = affine.vector_load %arg0[%[[I]] + 3] : memref<12xf64>, vector<8xf64>
// CHECK:      vector.shuffle %[[A]], %[[B]] [0, 2, 4, 6, 13, 15, 15, 15]
// CHECK:      vector.maskedstore
func.func @six(%x: memref<12xf64>, %y: memref<6xf64>) {
  affine.for %i = 0 to 6 {
    %a = affine.load %x[2 * %i] : memref<12xf64>
    %b = arith.mulf %a, %a : f64
    affine.store %b, %y[%i] : memref<6xf64>
  } {weft.lane}
  return
}

// What the lanes read is one vector: they are picked from it alone.
// CHECK-LABEL: func.func @one_vector
// CHECK:      %[[A:.*]] = affine.vector_load %arg0[%{{.*}}] : memref<16xf32>, vector<16xf32>
// CHECK-NEXT: vector.shuffle %[[A]], %[[A]] [0, 3, 6, 9, 12, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15]
func.func @one_vector(%x: memref<16xf32>, %y: memref<6xf32>) {
  affine.for %i = 0 to 6 {
    %a = affine.load %x[3 * %i] : memref<16xf32>
    %b = arith.mulf %a, %a : f32
    affine.store %b, %y[%i] : memref<6xf32>
  } {weft.lane}
  return
}

// Four of them are read in less than a vector.
// CHECK-LABEL: func.func @four
// CHECK-NOT:  vector
// CHECK:      return
func.func @four(%x: memref<8xf64>, %y: memref<4xf64>) {
  affine.for %i = 0 to 4 {
    %a = affine.load %x[2 * %i] : memref<8xf64>
    %b = arith.mulf %a, %a : f64
    affine.store %b, %y[%i] : memref<4xf64>
  } {weft.lane}
  return
}
}
