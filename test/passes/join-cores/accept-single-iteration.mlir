// A loop of one iteration is none: what the cores do in it goes with what they do before and behind,
// started once, one sync between two nests.
// RUN: cat %target_sw26010 %s | weft-opt - --distribute-to-cores --join-cores --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @one
// CHECK:         cpe.cores {
// CHECK-NEXT:      affine.for %{{.*}} = 0 to 16384 {
// CHECK:           } {weft.independent, weft.parallel}
// CHECK-NEXT:      cpe.sync
// CHECK-NEXT:      affine.for %[[I:.*]] = 0 to 16384 {
// CHECK-NEXT:        affine.load %arg0[%[[I]]]
// CHECK:           } {weft.independent, weft.parallel}
// CHECK-NEXT:      cpe.sync
// CHECK-NEXT:      affine.for %{{.*}} = 0 to 16384 {
// CHECK-NOT:     cpe.cores
module attributes {weft.target = #target} {
  func.func @one(%x: memref<16384xf64>) {
    affine.for %i = 0 to 16384 {
      %v = affine.load %x[%i] : memref<16384xf64>
      %w = arith.addf %v, %v : f64
      affine.store %w, %x[%i] : memref<16384xf64>
    } {weft.independent}
    affine.for %n = 0 to 1 {
      affine.for %i = 0 to 16384 {
        %v = affine.load %x[16384 * %n + %i] : memref<16384xf64>
        %w = arith.mulf %v, %v : f64
        affine.store %w, %x[16384 * %n + %i] : memref<16384xf64>
      } {weft.independent}
    }
    affine.for %i = 0 to 16384 {
      %v = affine.load %x[%i] : memref<16384xf64>
      %w = arith.addf %v, %v : f64
      affine.store %w, %x[%i] : memref<16384xf64>
    } {weft.independent}
    return
  }
}
