// Two columns whose rows are lanes: one loop whose lanes are picked from the same vectors, in place of one
// over all rows for each column; long ones are blocks, which threads share.
// RUN: cat %target_avx512 %s | weft-opt - --stream-reductions --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @short
// CHECK:       %[[SUMS:.*]]:2 = affine.for %[[I:.*]] = 0 to 65 iter_args(
// CHECK-NEXT:    affine.load %arg0[%[[I]], 0]
// CHECK-NEXT:    arith.addf
// CHECK-NEXT:    affine.load %arg0[%[[I]], 1]
// CHECK-NEXT:    arith.addf
// CHECK-NEXT:    affine.yield
// CHECK-NEXT:  } {weft.lane, weft.reassociate}
// CHECK:       affine.store %[[SUMS]]#0, %arg1[0]
// CHECK:       affine.store %[[SUMS]]#1, %arg1[1]
// CHECK-NOT:   affine.for

// CHECK-LABEL: func.func @long
// CHECK:       affine.for %{{.*}} = 0 to 64 {
// CHECK:         affine.for %{{.*}} iter_args
// CHECK:         } {weft.lane, weft.reassociate}
// CHECK:       } {weft.independent}
module attributes {weft.target = #target} {
  func.func @short(%x: memref<65x2xf64>, %y: memref<2xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %j = 0 to 2 {
      %s = affine.for %i = 0 to 65 iter_args(%before = %zero) -> (f64) {
        %e = affine.load %x[%i, %j] : memref<65x2xf64>
        %next = arith.addf %before, %e : f64
        affine.yield %next : f64
      } {weft.lane, weft.reassociate}
      affine.store %s, %y[%j] : memref<2xf64>
    } {weft.independent}
    return
  }
  func.func @long(%x: memref<1000000x2xf64>, %y: memref<2xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %j = 0 to 2 {
      %s = affine.for %i = 0 to 1000000 iter_args(%before = %zero) -> (f64) {
        %e = affine.load %x[%i, %j] : memref<1000000x2xf64>
        %next = arith.addf %before, %e : f64
        affine.yield %next : f64
      } {weft.lane, weft.reassociate}
      affine.store %s, %y[%j] : memref<2xf64>
    } {weft.independent}
    return
  }
}
