// Runs of 1024 bytes, and lines whose count is no multiple of the columns, are fetched by each core.
// RUN: cat %target_sw26010 %s | weft-opt - --canonicalize > %t
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --canonicalize | diff %t -
module attributes {weft.target = #target} {
  func.func @long(%x: memref<8x16x2048xf64>, %y: memref<8x65x512xf64>) {
    cpe.cores {
      affine.for %i = 0 to 8 {
        affine.for %j = 0 to 2048 step 128 {
          affine.for %k = 0 to 16 {
            affine.for %l = 0 to 128 {
              %v = affine.load %x[%i, %k, %j + %l] : memref<8x16x2048xf64>
              affine.store %v, %x[%i, 15 - %k, %j + %l] : memref<8x16x2048xf64>
            }
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
      cpe.sync
      affine.for %i = 0 to 8 {
        affine.for %j = 0 to 512 step 4 {
          affine.for %k = 0 to 65 {
            affine.for %l = 0 to 4 {
              %v = affine.load %y[%i, %k, %j + %l] : memref<8x65x512xf64>
              affine.store %v, %y[%i, 64 - %k, %j + %l] : memref<8x65x512xf64>
            }
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
