// What the management core does reaches main memory through its caches.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-transfers --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @host
// CHECK-NEXT:    affine.for
// CHECK-NEXT:      affine.load %arg0
// CHECK-NOT:     cpe.
module attributes {weft.target = #target} {
  func.func @host(%x: memref<4096xf64>, %y: memref<4096xf64>) {
    affine.for %i = 0 to 4096 {
      %v = affine.load %x[%i] : memref<4096xf64>
      affine.store %v, %y[%i] : memref<4096xf64>
    } {weft.independent}
    return
  }
}
