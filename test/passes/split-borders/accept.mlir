// Between the borders remainders are indices and conditions are known; the borders, whole vectors, stay.
// RUN: cat %target_avx512 %s | weft-opt - --split-borders | FileCheck %s

// CHECK-LABEL: func.func @ring
// CHECK:       affine.for %[[J:.*]] = 0 to 120 {
// CHECK-NEXT:    %[[E:.*]] = affine.load %arg0[%[[J]] + 1]
// CHECK-NEXT:    affine.store %[[E]], %arg1[%[[J]]]
// CHECK-NEXT:  } {weft.independent, weft.lane}
// CHECK:       affine.for %[[J2:.*]] = 120 to 128 {
// CHECK-NEXT:    affine.load %arg0[(%[[J2]] + 1) mod 128]
// CHECK:       } {weft.independent, weft.lane}
// CHECK-NOT:   affine.for

// CHECK-LABEL: func.func @wall
// CHECK:       affine.for %{{.*}} = 0 to 8 {
// CHECK:         arith.cmpi sgt
// CHECK:       affine.for %[[K:.*]] = 8 to 127 {
// CHECK-NOT:     arith.cmpi
// CHECK:         %[[F:.*]] = affine.load %arg0[%[[K]] - 1]
// CHECK-NEXT:    affine.store %[[F]], %arg1[%[[K]]]
// CHECK-NEXT:  } {weft.independent, weft.lane}
// CHECK-NOT:   affine.for

// Halves: neither compares.
// CHECK-LABEL: func.func @halves
// CHECK:       affine.for %{{.*}} = 0 to 64 {
// CHECK-NEXT:    %[[L:.*]] = affine.load %arg0
// CHECK-NEXT:    affine.store %[[L]], %arg1
// CHECK:       affine.for %{{.*}} = 64 to 128 {
// CHECK-NEXT:    affine.store %{{.*}}, %arg1
// CHECK-NOT:   affine.for

// An equality that holds at one iteration in the middle.
// CHECK-LABEL: func.func @one
// CHECK:       affine.for %{{.*}} = 0 to 40 {
// CHECK-NOT:     arith.cmpi
// CHECK:       affine.for %{{.*}} = 40 to 48 {
// CHECK:         arith.cmpi eq
// CHECK:       affine.for %{{.*}} = 48 to 128 {
// CHECK-NOT:     arith.cmpi
// CHECK:       return
module attributes {weft.target = #target} {
  func.func @ring(%x: memref<128xf64>, %y: memref<128xf64>) {
    affine.for %j = 0 to 128 {
      %e = affine.load %x[(%j + 1) mod 128] : memref<128xf64>
      affine.store %e, %y[%j] : memref<128xf64>
    } {weft.independent, weft.lane}
    return
  }
  func.func @wall(%x: memref<127xf64>, %y: memref<127xf64>) {
    %zero = arith.constant 0.0 : f64
    %none = arith.constant 0 : i64
    affine.for %j = 0 to 127 {
      %at = arith.index_cast %j : index to i64
      %inside = arith.cmpi sgt, %at, %none : i64
      %e = affine.load %x[%j - ((%j - 1) floordiv 127) * 127 - 1] : memref<127xf64>
      %v = arith.select %inside, %e, %zero : f64
      affine.store %v, %y[%j] : memref<127xf64>
    } {weft.independent, weft.lane}
    return
  }
  func.func @halves(%x: memref<128xf64>, %y: memref<128xf64>) {
    %zero = arith.constant 0.0 : f64
    %half = arith.constant 64 : i64
    affine.for %j = 0 to 128 {
      %at = arith.index_cast %j : index to i64
      %below = arith.cmpi slt, %at, %half : i64
      %e = affine.load %x[%j] : memref<128xf64>
      %v = arith.select %below, %e, %zero : f64
      affine.store %v, %y[%j] : memref<128xf64>
    } {weft.independent, weft.lane}
    return
  }
  func.func @one(%x: memref<128xf64>, %y: memref<128xf64>) {
    %zero = arith.constant 0.0 : f64
    %here = arith.constant 43 : i64
    affine.for %j = 0 to 128 {
      %at = arith.index_cast %j : index to i64
      %is = arith.cmpi eq, %at, %here : i64
      %e = affine.load %x[%j] : memref<128xf64>
      %v = arith.select %is, %e, %zero : f64
      affine.store %v, %y[%j] : memref<128xf64>
    } {weft.independent, weft.lane}
    return
  }
}
