// What steps often, what is short, what reads data, and loops without lanes stay whole.
// RUN: cat %target_avx512 %s | weft-opt - --split-borders > %t
// RUN: cat %target_avx512 %s | weft-opt - | diff - %t
module attributes {weft.target = #target} {
  func.func @often(%x: memref<16xf64>, %y: memref<128xf64>) {
    affine.for %j = 0 to 128 {
      %e = affine.load %x[%j mod 16] : memref<16xf64>
      affine.store %e, %y[%j] : memref<128xf64>
    } {weft.independent, weft.lane}
    return
  }
  func.func @short(%x: memref<15xf64>, %y: memref<15xf64>) {
    affine.for %j = 0 to 15 {
      %e = affine.load %x[(%j + 1) mod 15] : memref<15xf64>
      affine.store %e, %y[%j] : memref<15xf64>
    } {weft.independent, weft.lane}
    return
  }
  func.func @data(%x: memref<128xi64>, %y: memref<128xf64>) {
    %zero = arith.constant 0.0 : f64
    %one = arith.constant 1.0 : f64
    affine.for %j = 0 to 128 {
      %at = arith.index_cast %j : index to i64
      %k = affine.load %x[%j] : memref<128xi64>
      %below = arith.cmpi slt, %at, %k : i64
      %v = arith.select %below, %one, %zero : f64
      affine.store %v, %y[%j] : memref<128xf64>
    } {weft.independent, weft.lane}
    return
  }
  func.func @outer(%x: memref<128xf64>, %y: memref<128xf64>) {
    affine.for %j = 0 to 128 {
      %e = affine.load %x[(%j + 1) mod 128] : memref<128xf64>
      affine.store %e, %y[%j] : memref<128xf64>
    } {weft.independent}
    return
  }
}
