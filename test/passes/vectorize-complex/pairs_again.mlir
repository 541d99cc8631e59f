// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// What is left of whole vectors: the last vector begins earlier and does some again; where the loop
// reads what it stores, what is not there is left out.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @again
// CHECK: affine.for %{{.*}} = 0 to 12 step 4
// CHECK: affine.for %[[I:.*]] = 11 to 15 step 4
// CHECK-NEXT: affine.vector_load %arg0[%[[I]], 0] : memref<15x2xf64>, vector<8xf64>
// CHECK-NOT: affine.for
func.func @again(%x: memref<15x2xf64>, %y: memref<15x2xf64>) {
  affine.for %i = 0 to 15 {
    %re = affine.load %x[%i, 0] : memref<15x2xf64>
    %im = affine.load %x[%i, 1] : memref<15x2xf64>
    %neg = arith.negf %im : f64
    affine.store %neg, %y[%i, 1] : memref<15x2xf64>
    affine.store %re, %y[%i, 0] : memref<15x2xf64>
  } {weft.lane}
  return
}

// CHECK-LABEL: func.func @once
// CHECK: affine.for %{{.*}} = 0 to 12 step 4
// CHECK: affine.for %{{.*}} = 12 to 16 step 4 {
// CHECK: vector.maskedload
func.func @once(%x: memref<15x2xf64>) {
  affine.for %i = 0 to 15 {
    %re = affine.load %x[%i, 0] : memref<15x2xf64>
    %im = affine.load %x[%i, 1] : memref<15x2xf64>
    %neg = arith.negf %im : f64
    affine.store %neg, %x[%i, 1] : memref<15x2xf64>
    affine.store %re, %x[%i, 0] : memref<15x2xf64>
  } {weft.lane}
  return
}
}
