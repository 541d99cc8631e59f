// The sums of 8 columns are 64 blocks of rows, which the cores share: each stores what its rows come
// to, and the nest of before combines that, and the rows that are left.
// RUN: cat %target_sw26010 %s | weft-opt - --distribute-to-cores | FileCheck %s

// CHECK-LABEL: func.func @columns
// CHECK:         %[[PARTS:.*]] = memref.alloc() : memref<64x8xf64>
// CHECK:         affine.for %[[B:.*]] = 0 to 64 {
// CHECK-NEXT:      affine.for %[[J:.*]] = 0 to 8 {
// CHECK:             %[[S:.*]] = affine.for %{{.*}} = 0 to 31 iter_args
// CHECK:             affine.store %[[S]], %[[PARTS]][%[[B]], %[[J]]]
// CHECK-NOT:         affine.store
// CHECK:         } {weft.independent, weft.parallel}
// CHECK:         affine.for %[[K:.*]] = 0 to 8 {
// CHECK:           %[[ALL:.*]] = affine.for %[[C:.*]] = 0 to 64 iter_args
// CHECK-NEXT:        affine.load %[[PARTS]][%[[C]], %[[K]]]
// CHECK:           %[[TOTAL:.*]] = affine.for %{{.*}} = 1984 to 2000 iter_args(%{{.*}} = %[[ALL]])
// CHECK:           affine.store %[[TOTAL]], %arg1[%[[K]]]
// Rows that cores have room for are one to a core, each in one run of memory.
// CHECK-LABEL: func.func @rows
// CHECK-NOT:     memref.alloc
// What is read is what is stored.
// CHECK-LABEL: func.func @carried
// CHECK-NOT:     memref.alloc
module attributes {weft.target = #target} {
  func.func @columns(%x: memref<2000x8xf64>, %y: memref<8xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %j = 0 to 8 {
      %s = affine.for %i = 0 to 2000 iter_args(%t = %zero) -> f64 {
        %v = affine.load %x[%i, %j] : memref<2000x8xf64>
        %u = arith.addf %t, %v : f64
        affine.yield %u : f64
      }
      affine.store %s, %y[%j] : memref<8xf64>
    } {weft.independent, weft.lane}
    return
  }
  func.func @rows(%x: memref<64x2000xf64>, %y: memref<64xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %j = 0 to 64 {
      %s = affine.for %i = 0 to 2000 iter_args(%t = %zero) -> f64 {
        %v = affine.load %x[%j, %i] : memref<64x2000xf64>
        %u = arith.addf %t, %v : f64
        affine.yield %u : f64
      } {weft.lane, weft.reassociate}
      affine.store %s, %y[%j] : memref<64xf64>
    } {weft.independent}
    return
  }
  func.func @carried(%x: memref<2000x8xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %j = 0 to 8 {
      %s = affine.for %i = 0 to 2000 iter_args(%t = %zero) -> f64 {
        %v = affine.load %x[%i, %j] : memref<2000x8xf64>
        %u = arith.addf %t, %v : f64
        affine.yield %u : f64
      }
      affine.store %s, %x[0, %j] : memref<2000x8xf64>
    } {weft.independent, weft.lane}
    return
  }
}
