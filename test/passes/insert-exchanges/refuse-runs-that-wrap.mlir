// In the first turn of the loop around, columns of a row of cores lie side by side; in the second
// one, the last of them begins again at the first. Turns do not move all columns alike.
// RUN: cat %target_sw26010 %s | weft-opt - --canonicalize > %t
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --canonicalize | diff %t -
module attributes {weft.target = #target} {
  func.func @wrap(%x: memref<8x64x512xf64>, %y: memref<2x8x64x512xf64>) {
    cpe.cores {
      affine.for %t = 0 to 2 {
        affine.for %i = 0 to 8 {
          affine.for %j = 0 to 512 step 4 {
            affine.for %k = 0 to 64 {
              affine.for %l = 0 to 4 {
                %v = affine.load %x[%i, %k, (%j + %t * 4) mod 512 + %l] : memref<8x64x512xf64>
                affine.store %v, %y[%t, %i, %k, (%j + %t * 4) mod 512 + %l] : memref<2x8x64x512xf64>
              }
            }
          } {weft.independent, weft.parallel}
        } {weft.independent, weft.parallel}
      }
    }
    return
  }
}
