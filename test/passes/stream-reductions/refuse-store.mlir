// A store before the reduction would be done once for each part.
// RUN: cat %target_avx512 %s | weft-opt - --stream-reductions | FileCheck %s

// CHECK-NOT: memref.alloca
module attributes {weft.target = #target} {
  func.func @f(%x: memref<64x512xf64>, %y: memref<512xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %j = 0 to 512 {
      affine.store %zero, %y[%j] : memref<512xf64>
      %s = affine.for %i = 0 to 64 iter_args(%before = %zero) -> (f64) {
        %e = affine.load %x[%i, %j] : memref<64x512xf64>
        %next = arith.addf %before, %e : f64
        affine.yield %next : f64
      }
      affine.store %s, %y[%j] : memref<512xf64>
    } {weft.independent, weft.lane}
    return
  }
}
