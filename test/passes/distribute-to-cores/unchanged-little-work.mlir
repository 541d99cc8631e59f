// Little work is not worth a fork and join.
// RUN: weft-opt %s --distribute-to-cores=min-work=100 | FileCheck %s

// CHECK-NOT: weft.parallel
func.func @short(%x: memref<8xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 8 {
    affine.store %zero, %x[%i] : memref<8xf64>
  } {weft.independent}
  return
}
