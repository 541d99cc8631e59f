// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// Loops that are not marked, and loops that leave most of a vector empty, stay as they are.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @scalar
// CHECK-NOT: vector
// CHECK-NOT: weft.lane
// CHECK: return
func.func @scalar(%x: memref<64xf64>) {
  affine.for %i = 0 to 64 {
    %v = affine.load %x[%i] : memref<64xf64>
    %s = arith.addf %v, %v : f64
    affine.store %s, %x[%i] : memref<64xf64>
  }
  affine.for %i = 0 to 2 {
    %v = affine.load %x[%i] : memref<64xf64>
    %s = arith.addf %v, %v : f64
    affine.store %s, %x[%i] : memref<64xf64>
  } {weft.lane}
  return
}
}
