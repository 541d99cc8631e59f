// The first two columns lie side by side, but not all that a row of cores would fetch together.
// RUN: cat %target_sw26010 %s | weft-opt - --canonicalize > %t
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --canonicalize | diff %t -
module attributes {weft.target = #target} {
  func.func @apart(%x: memref<8x64x1024xf64>) {
    cpe.cores {
      affine.for %i = 0 to 8 {
        affine.for %j = 0 to 512 step 4 {
          affine.for %k = 0 to 64 {
            affine.for %l = 0 to 4 {
              %v = affine.load %x[%i, %k, (%j floordiv 8) * 16 + %j mod 8 + %l] : memref<8x64x1024xf64>
              affine.store %v, %x[%i, 63 - %k, (%j floordiv 8) * 16 + %j mod 8 + %l] : memref<8x64x1024xf64>
            }
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
