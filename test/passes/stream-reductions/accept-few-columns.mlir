// Three sums side by side in one loop over the rows; what stands after them is done for each.
// RUN: cat %target_avx512 %s | weft-opt - --stream-reductions --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK:       %[[ZERO:.*]] = arith.constant 0.0
// CHECK:       %[[SUMS:.*]]:3 = affine.for %[[I:.*]] = 0 to 65 iter_args(%[[A:.*]] = %[[ZERO]], %[[B:.*]] = %[[ZERO]], %[[C:.*]] = %[[ZERO]])
// CHECK-NEXT:    %[[A0:.*]] = affine.load %arg0[%[[I]], 0]
// CHECK-NEXT:    %[[A1:.*]] = arith.addf %[[A]], %[[A0]]
// CHECK-NEXT:    %[[B0:.*]] = affine.load %arg0[%[[I]], 1]
// CHECK-NEXT:    %[[B1:.*]] = arith.addf %[[B]], %[[B0]]
// CHECK-NEXT:    %[[C0:.*]] = affine.load %arg0[%[[I]], 2]
// CHECK-NEXT:    %[[C1:.*]] = arith.addf %[[C]], %[[C0]]
// CHECK-NEXT:    affine.yield %[[A1]], %[[B1]], %[[C1]]
// CHECK:       affine.store %[[SUMS]]#0, %arg1[0]
// CHECK:       affine.store %[[SUMS]]#1, %arg1[1]
// CHECK:       affine.store %[[SUMS]]#2, %arg1[2]
// CHECK-NOT:   affine.for
module attributes {weft.target = #target} {
  func.func @f(%x: memref<65x3xf64>, %y: memref<3xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %j = 0 to 3 {
      %s = affine.for %i = 0 to 65 iter_args(%before = %zero) -> (f64) {
        %e = affine.load %x[%i, %j] : memref<65x3xf64>
        %next = arith.addf %before, %e : f64
        affine.yield %next : f64
      }
      affine.store %s, %y[%j] : memref<3xf64>
    } {weft.independent}
    return
  }
}
