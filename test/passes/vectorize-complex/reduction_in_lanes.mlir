// A sum whose order is free: two vectors of partial sums, one that is not full for the rest of the
// iterations, then all lanes by halves onto the start. Few that are left over follow in order.
// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @sum
// CHECK-DAG:   %[[NONE:.*]] = arith.constant dense<0.000000e+00> : vector<8xf64>
// CHECK:       %[[V:.*]]:2 = affine.for %[[I:.*]] = 0 to 16 step 16 iter_args(%[[A:.*]] = %[[NONE]], %[[B:.*]] = %[[NONE]])
// CHECK:         %[[X:.*]] = affine.vector_load %arg0[%[[I]]]
// CHECK:         %[[AX:.*]] = arith.addf %[[A]], %[[X]]
// CHECK:         %[[Y:.*]] = affine.vector_load %arg0[%[[I]] + 8]
// CHECK:         %[[BY:.*]] = arith.addf %[[B]], %[[Y]]
// CHECK:         affine.yield %[[AX]], %[[BY]]
// CHECK:       %[[BOTH:.*]] = arith.addf %[[V]]#0, %[[V]]#1
// CHECK:       %[[WHOLE:.*]] = affine.for %{{.*}} = 16 to 24 step 8 iter_args(%{{.*}} = %[[BOTH]])
// CHECK:       %[[ALL:.*]] = affine.for %[[I:.*]] = 24 to 32 step 8 iter_args(%[[S:.*]] = %[[WHOLE]])
// CHECK-NEXT:    %[[X:.*]] = vector.maskedload %arg0[%[[I]]], %[[MASK:.*]], %{{.*}} : memref<29xf64>
// CHECK-NEXT:    %[[NEXT:.*]] = arith.addf %[[S]], %[[X]]
// CHECK-NEXT:    %[[KEPT:.*]] = arith.select %[[MASK]], %[[NEXT]], %[[S]]
// CHECK-NEXT:    affine.yield %[[KEPT]]
// CHECK:       %[[H4:.*]] = vector.shuffle %[[ALL]], %[[ALL]] [4, 5, 6, 7, 0, 1, 2, 3]
// CHECK:       arith.addf %[[ALL]], %[[H4]]
// CHECK:       vector.shuffle {{.*}} [2, 3, 4, 5, 6, 7, 0, 1]
// CHECK:       vector.shuffle {{.*}} [1, 2, 3, 4, 5, 6, 7, 0]
// CHECK:       %[[LANE:.*]] = vector.extract %{{.*}}[0]
// CHECK:       %[[SUM:.*]] = arith.addf %[[LANE]], %{{.*}} : f64
// CHECK-NOT:   affine.for
// CHECK-LABEL: func.func @two_left_over
// CHECK:       affine.for %{{.*}} = 24 to 26 iter_args(%{{.*}} = %{{.*}}) -> (f64)
module attributes {weft.target = #target} {
  func.func @sum(%x: memref<29xf64>, %s: memref<f64>) {
    %zero = arith.constant 0.0 : f64
    %sum = affine.for %i = 0 to 29 iter_args(%before = %zero) -> (f64) {
      %e = affine.load %x[%i] : memref<29xf64>
      %next = arith.addf %before, %e : f64
      affine.yield %next : f64
    } {weft.lane, weft.reassociate}
    affine.store %sum, %s[] : memref<f64>
    return
  }
  func.func @two_left_over(%x: memref<26xf64>, %s: memref<f64>) {
    %zero = arith.constant 0.0 : f64
    %sum = affine.for %i = 0 to 26 iter_args(%before = %zero) -> (f64) {
      %e = affine.load %x[%i] : memref<26xf64>
      %next = arith.addf %before, %e : f64
      affine.yield %next : f64
    } {weft.lane, weft.reassociate}
    affine.store %sum, %s[] : memref<f64>
    return
  }
}
