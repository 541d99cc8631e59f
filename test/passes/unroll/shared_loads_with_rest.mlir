// RUN: cat %target_avx512 %s | weft-opt - --unroll | FileCheck %s
// Vectors of a loop and one behind it for the rest get the loop around them for themselves, where turns of
// that load the same: it is independent. Not where something in front of them stores, or where that loop
// is shared by threads.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @columns
// CHECK: affine.for %{{.*}} = 0 to 16 step 4 {
// CHECK:   affine.for %{{.*}} = 0 to 24 step 8 {
// CHECK-COUNT-4: affine.vector_store
// CHECK:   }
// CHECK: }
// CHECK: affine.for %{{.*}} = 0 to 16 step 4 {
// CHECK-NOT: affine.for
// CHECK-COUNT-4: affine.vector_store
// CHECK: return
func.func @columns(%x: memref<18x25xf64>, %y: memref<16x25xf64>) {
  affine.for %i = 0 to 16 {
    affine.for %c = 0 to 24 step 8 {
      %a = affine.vector_load %x[%i, %c] : memref<18x25xf64>, vector<8xf64>
      %b = affine.vector_load %x[%i + 1, %c] : memref<18x25xf64>, vector<8xf64>
      %d = affine.vector_load %x[%i + 2, %c] : memref<18x25xf64>, vector<8xf64>
      %e = arith.addf %a, %b : vector<8xf64>
      %f = arith.addf %e, %d : vector<8xf64>
      affine.vector_store %f, %y[%i, %c] : memref<16x25xf64>, vector<8xf64>
    } {weft.independent}
    affine.for %c = 17 to 25 step 8 {
      %a = affine.vector_load %x[%i, %c] : memref<18x25xf64>, vector<8xf64>
      %b = affine.vector_load %x[%i + 1, %c] : memref<18x25xf64>, vector<8xf64>
      %d = affine.vector_load %x[%i + 2, %c] : memref<18x25xf64>, vector<8xf64>
      %e = arith.addf %a, %b : vector<8xf64>
      %f = arith.addf %e, %d : vector<8xf64>
      affine.vector_store %f, %y[%i, %c] : memref<16x25xf64>, vector<8xf64>
    } {weft.independent}
  } {weft.independent}
  return
}
// CHECK-LABEL: func.func @stored_before
// CHECK-NOT: = 0 to 16 step 4
// CHECK: affine.for %{{.*}} = 0 to 16 {
// CHECK-NOT: = 0 to 16
// CHECK-LABEL: func.func @of_threads
// CHECK-NOT: = 0 to 16 step 4
// CHECK: affine.for %{{.*}} = 0 to 16 {
// CHECK-NOT: = 0 to 16
func.func @stored_before(%x: memref<18x81xf64>, %y: memref<16x81xf64>, %n: memref<16xf64>) {
  %one = arith.constant 1.0 : f64
  affine.for %i = 0 to 16 {
    affine.store %one, %n[%i] : memref<16xf64>
    affine.for %c = 0 to 80 step 8 {
      %a = affine.vector_load %x[%i, %c] : memref<18x81xf64>, vector<8xf64>
      %b = affine.vector_load %x[%i + 1, %c] : memref<18x81xf64>, vector<8xf64>
      %d = affine.vector_load %x[%i + 2, %c] : memref<18x81xf64>, vector<8xf64>
      %e = arith.addf %a, %b : vector<8xf64>
      %f = arith.addf %e, %d : vector<8xf64>
      affine.vector_store %f, %y[%i, %c] : memref<16x81xf64>, vector<8xf64>
    } {weft.independent}
    affine.for %c = 80 to 81 {
      %a = affine.load %x[%i, %c] : memref<18x81xf64>
      affine.store %a, %y[%i, %c] : memref<16x81xf64>
    } {weft.independent}
  } {weft.independent}
  return
}
func.func @of_threads(%x: memref<18x81xf64>, %y: memref<16x81xf64>) {
  affine.for %i = 0 to 16 {
    affine.for %c = 0 to 80 step 8 {
      %a = affine.vector_load %x[%i, %c] : memref<18x81xf64>, vector<8xf64>
      %b = affine.vector_load %x[%i + 1, %c] : memref<18x81xf64>, vector<8xf64>
      %d = affine.vector_load %x[%i + 2, %c] : memref<18x81xf64>, vector<8xf64>
      %e = arith.addf %a, %b : vector<8xf64>
      %f = arith.addf %e, %d : vector<8xf64>
      affine.vector_store %f, %y[%i, %c] : memref<16x81xf64>, vector<8xf64>
    } {weft.independent}
    affine.for %c = 80 to 81 {
      %a = affine.load %x[%i, %c] : memref<18x81xf64>
      affine.store %a, %y[%i, %c] : memref<16x81xf64>
    } {weft.independent}
  } {weft.independent, weft.parallel}
  return
}
}
