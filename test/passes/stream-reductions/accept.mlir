// Blocks of columns, four rows at a time, then the rows that are left; each sum in the written order.
// RUN: cat %target_avx512 %s | weft-opt - --stream-reductions --canonicalize | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --stream-reductions --canonicalize --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}What="a loop: rows that pass by an array of sums", Why="its rows have 532480 bytes, a cache 32768 (l1d_bytes)"

// CHECK-LABEL: func.func @f
// CHECK:       %[[ZERO:.*]] = arith.constant 0.0
// CHECK:       affine.for %[[B:.*]] = 0 to 1024 step 512 {
// CHECK:         %[[SUMS:.*]] = memref.alloca() : memref<512xf64>
// CHECK:         affine.for %[[J0:.*]] = 0 to 512 {
// CHECK-NEXT:      affine.store %[[ZERO]], %[[SUMS]][%[[J0]]]
// CHECK-NEXT:    } {weft.lane}
// CHECK:         affine.for %[[I:.*]] = 0 to 64 step 4 {
// CHECK-NEXT:      affine.for %[[J:.*]] = 0 to 512 {
// CHECK-NEXT:        %[[S0:.*]] = affine.load %[[SUMS]][%[[J]]]
// CHECK-NEXT:        %[[E0:.*]] = affine.load %arg0[%[[I]], %[[B]] + %[[J]]]
// CHECK-NEXT:        %[[S1:.*]] = arith.addf %[[S0]], %[[E0]]
// CHECK-NEXT:        %[[E1:.*]] = affine.load %arg0[%[[I]] + 1, %[[B]] + %[[J]]]
// CHECK-NEXT:        %[[S2:.*]] = arith.addf %[[S1]], %[[E1]]
// CHECK:             affine.store %{{.*}}, %[[SUMS]][%[[J]]]
// CHECK-NEXT:      } {weft.lane}
// CHECK-NEXT:    }{{$}}
// CHECK:         affine.for %[[R:.*]] = 64 to 65 {
// CHECK:           affine.load %arg0[%[[R]], %[[B]] +
// CHECK:         affine.for %[[J2:.*]] = 0 to 512 {
// CHECK-NEXT:      %[[SUM:.*]] = affine.load %[[SUMS]][%[[J2]]]
// CHECK-NEXT:      affine.store %[[SUM]], %arg1[%[[B]] + %[[J2]]]
// CHECK:       } {weft.independent}
// CHECK-NOT:   affine.for
module attributes {weft.target = #target} {
  func.func @f(%x: memref<65x1024xf64>, %y: memref<1024xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %j = 0 to 1024 {
      %s = affine.for %i = 0 to 65 iter_args(%before = %zero) -> (f64) {
        %e = affine.load %x[%i, %j] : memref<65x1024xf64>
        %next = arith.addf %before, %e : f64
        affine.yield %next : f64
      }
      affine.store %s, %y[%j] : memref<1024xf64>
    } {weft.independent, weft.lane}
    return
  }
}
