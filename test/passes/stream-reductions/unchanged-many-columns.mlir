// More sums than half of the registers, and rows that are contiguous along the sum, stay apart.
// RUN: cat %target_avx512 %s | weft-opt - --stream-reductions > %t
// RUN: cat %target_avx512 %s | weft-opt - | diff - %t
module attributes {weft.target = #target} {
  func.func @many(%x: memref<65x17xf64>, %y: memref<17xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %j = 0 to 17 {
      %s = affine.for %i = 0 to 65 iter_args(%before = %zero) -> (f64) {
        %e = affine.load %x[%i, %j] : memref<65x17xf64>
        %next = arith.addf %before, %e : f64
        affine.yield %next : f64
      }
      affine.store %s, %y[%j] : memref<17xf64>
    } {weft.independent}
    return
  }
  func.func @rows(%x: memref<3x65xf64>, %y: memref<3xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %j = 0 to 3 {
      %s = affine.for %i = 0 to 65 iter_args(%before = %zero) -> (f64) {
        %e = affine.load %x[%j, %i] : memref<3x65xf64>
        %next = arith.addf %before, %e : f64
        affine.yield %next : f64
      } {weft.lane, weft.reassociate}
      affine.store %s, %y[%j] : memref<3xf64>
    } {weft.independent}
    return
  }
}
