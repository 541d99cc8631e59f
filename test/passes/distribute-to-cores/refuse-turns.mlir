// Turns whose memory somebody reads afterwards, or that do more than loops, stay one after the
// other; so do those of which nothing says what memory is their own.
// RUN: weft-opt %s --distribute-to-cores=min-work=100 | FileCheck %s

// CHECK-LABEL: func.func @read_behind
// CHECK-NEXT:    %[[CST:.*]] = arith.constant
// CHECK-NEXT:    memref.alloc
// CHECK:         } {weft.independent, weft.parallel}
// CHECK-NEXT:  } {weft.in_turn}
func.func @read_behind(%y: memref<64xf64>) {
  %zero = arith.constant 0.0 : f64
  %own = memref.alloc() {weft.in_turn} : memref<64xf64>
  affine.for %i = 0 to 4 {
    affine.for %k = 0 to 64 {
      affine.store %zero, %own[%k] : memref<64xf64>
    } {weft.independent}
  } {weft.in_turn}
  memref.copy %own, %y : memref<64xf64> to memref<64xf64>
  return
}

// CHECK-LABEL: func.func @store_beside
// CHECK:         } {weft.in_turn}
func.func @store_beside(%y: memref<64xf64>, %z: memref<4xf64>) {
  %zero = arith.constant 0.0 : f64
  %own = memref.alloc() {weft.in_turn} : memref<64xf64>
  affine.for %i = 0 to 4 {
    affine.store %zero, %z[%i] : memref<4xf64>
    affine.for %k = 0 to 64 {
      affine.store %zero, %own[%k] : memref<64xf64>
    } {weft.independent}
  } {weft.in_turn}
  return
}

// CHECK-LABEL: func.func @shared
// CHECK:         } {weft.in_turn}
func.func @shared(%y: memref<64xf64>) {
  %zero = arith.constant 0.0 : f64
  %scratch = memref.alloc() : memref<64xf64>
  affine.for %i = 0 to 4 {
    affine.for %k = 0 to 64 {
      affine.store %zero, %scratch[%k] : memref<64xf64>
    } {weft.independent}
  } {weft.in_turn}
  return
}
