// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// Both parts of an interleaved element come from one pair of loads and go by one pair of stores.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @larger_part
// CHECK:      %[[LOW:.*]] = affine.vector_load %{{.*}}[%[[I:.*]], 0]
// CHECK-NEXT: %[[HIGH:.*]] = affine.vector_load %{{.*}}[%[[I]] + 4, 0]
// CHECK-NEXT: %[[RE:.*]] = vector.shuffle %[[LOW]], %[[HIGH]] [0, 2, 4, 6, 8, 10, 12, 14]
// CHECK-NEXT: %[[IM:.*]] = vector.shuffle %[[LOW]], %[[HIGH]] [1, 3, 5, 7, 9, 11, 13, 15]
// CHECK-NEXT: %[[NEG:.*]] = arith.negf %[[IM]] : vector<8xf64>
// CHECK-NEXT: %[[MAX:.*]] = arith.maximumf %[[RE]], %[[IM]] : vector<8xf64>
// CHECK-NEXT: %[[FIRST:.*]] = vector.shuffle %[[MAX]], %[[NEG]] [0, 8, 1, 9, 2, 10, 3, 11]
// CHECK-NEXT: affine.vector_store %[[FIRST]], %{{.*}}[%[[I]], 0]
// CHECK-NEXT: %[[SECOND:.*]] = vector.shuffle %[[MAX]], %[[NEG]] [4, 12, 5, 13, 6, 14, 7, 15]
// CHECK-NEXT: affine.vector_store %[[SECOND]], %{{.*}}[%[[I]] + 4, 0]
// CHECK-NOT:  affine.load
func.func @larger_part(%x: memref<16x2xf64>, %y: memref<16x2xf64>) {
  affine.for %i = 0 to 16 {
    %re = affine.load %x[%i, 0] : memref<16x2xf64>
    %im = affine.load %x[%i, 1] : memref<16x2xf64>
    %neg = arith.negf %im : f64
    %max = arith.maximumf %re, %im : f64
    affine.store %neg, %y[%i, 1] : memref<16x2xf64>
    affine.store %max, %y[%i, 0] : memref<16x2xf64>
  } {weft.lane}
  return
}
}
