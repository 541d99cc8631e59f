// What a cache holds is read from there in any order.
// RUN: cat %target_avx512 %s | weft-opt - --stream-reductions > %t
// RUN: cat %target_avx512 %s | weft-opt - | diff - %t
module attributes {weft.target = #target} {
  func.func @f(%x: memref<16x64xf64>, %y: memref<64xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %j = 0 to 64 {
      %s = affine.for %i = 0 to 16 iter_args(%before = %zero) -> (f64) {
        %e = affine.load %x[%i, %j] : memref<16x64xf64>
        %next = arith.addf %before, %e : f64
        affine.yield %next : f64
      }
      affine.store %s, %y[%j] : memref<64xf64>
    } {weft.independent, weft.lane}
    return
  }
}
