// A loop that was not proved independent (the steps of a program) stays in order; the
// independent loop inside of it is shared.
// RUN: weft-opt %s --distribute-to-cores=min-work=100 | FileCheck %s

// CHECK:      affine.for {{.*}} = 0 to 6 {
// CHECK-NEXT:   affine.for {{.*}} = 0 to 128 {
// CHECK:        } {weft.independent, weft.parallel}
// CHECK-NEXT: }
func.func @steps(%x: memref<128xf64>) {
  affine.for %t = 0 to 6 {
    affine.for %i = 0 to 128 {
      %v = affine.load %x[%i] : memref<128xf64>
      %w = arith.addf %v, %v : f64
      affine.store %w, %x[%i] : memref<128xf64>
    } {weft.independent}
  }
  return
}
