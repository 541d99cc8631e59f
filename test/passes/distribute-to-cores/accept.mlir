// The outermost independent loop of enough work, and only that one.
// RUN: weft-opt %s --distribute-to-cores=min-work=100 | FileCheck %s

// CHECK-LABEL: func.func @nest
// CHECK:         affine.for {{.*}} = 0 to 64 {
// CHECK-NEXT:      affine.for {{.*}} = 0 to 8 {
// CHECK:           } {weft.independent}
// CHECK-NEXT:    } {weft.independent, weft.parallel}
func.func @nest(%x: memref<64x8xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 8 {
      affine.store %zero, %x[%i, %j] : memref<64x8xf64>
    } {weft.independent}
  } {weft.independent}
  return
}
