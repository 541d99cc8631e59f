// A loop around what the cores do goes to them, with a sum in it, of which each does a part; a small
// array of its own comes along.
// RUN: cat %target_sw26010 %s | weft-opt - --distribute-to-cores --join-cores --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @around
// CHECK:         cpe.cores {
// CHECK-NEXT:      %[[OWN:.*]] = memref.alloca() : memref<1xf64>
// CHECK-NEXT:      affine.for %[[T:.*]] = 0 to 50 {
// CHECK-NEXT:        affine.for %{{.*}} = 0 to 1024 {
// CHECK:             } {weft.independent, weft.parallel}
// CHECK-NEXT:        cpe.sync
// CHECK-NEXT:        %[[S:.*]] = affine.for %[[C:[a-z0-9]+]] = 0 to 50 iter_args
// CHECK-NEXT:          affine.for %[[N:[a-z0-9]+]] = 0 to 20 iter_args
// CHECK-NEXT:            affine.load %arg0[%[[C]] + %[[N]] * 50 + 7]
// CHECK:             } {weft.parallel, weft.sums}
// CHECK-NEXT:        affine.store %[[S]], %[[OWN]][0]
// CHECK-NEXT:        %[[V:.*]] = affine.load %[[OWN]][0]
// CHECK-NEXT:        affine.store %[[V]], %arg1[%[[T]]]
module attributes {weft.target = #target} {
  func.func @around(%x: memref<1024xf64>, %y: memref<50xf64>) {
    %zero = arith.constant 0.0 : f64
    %own = memref.alloc() : memref<1xf64>
    affine.for %t = 0 to 50 {
      affine.for %i = 0 to 1024 {
        %v = affine.load %x[%i] : memref<1024xf64>
        %w = arith.addf %v, %v : f64
        affine.store %w, %x[%i] : memref<1024xf64>
      } {weft.independent}
      %s = affine.for %i = 7 to 1007 iter_args(%sum = %zero) -> f64 {
        %v = affine.load %x[%i] : memref<1024xf64>
        %next = arith.addf %sum, %v : f64
        affine.yield %next : f64
      }
      affine.store %s, %own[0] : memref<1xf64>
      %r = affine.load %own[0] : memref<1xf64>
      affine.store %r, %y[%t] : memref<50xf64>
    }
    return
  }
}
