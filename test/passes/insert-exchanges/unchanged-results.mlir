// What others see, a result or an array that is read where no cores run, stays in memory.
// RUN: cat %target_sw26010 %s | weft-opt - --canonicalize > %t
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --canonicalize | diff %t -
module attributes {weft.target = #target} {
  func.func @results(%x: memref<32x32x32xf64>, %y: memref<32x32x32xf64>, %s: memref<1xf64>) {
    %c0 = arith.constant 0 : index
    %t = memref.alloc() : memref<32x32x32xf64>
    cpe.cores {
      affine.for %i = 0 to 32 {
        affine.for %j = 0 to 32 {
          %line = memref.alloca() : memref<32xf64>
          affine.for %k = 0 to 32 {
            %v = affine.load %x[%i, %j, %k] : memref<32x32x32xf64>
            affine.store %v, %line[%k] : memref<32xf64>
          }
          affine.for %k = 0 to 32 {
            %v = affine.load %line[31 - %k] : memref<32xf64>
            affine.store %v, %y[%i, %j, %k] : memref<32x32x32xf64>
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
      cpe.sync
      affine.for %i = 0 to 32 {
        affine.for %k = 0 to 32 {
          %line = memref.alloca() : memref<32xf64>
          affine.for %j = 0 to 32 {
            %v = affine.load %y[%i, %j, %k] : memref<32x32x32xf64>
            affine.store %v, %line[%j] : memref<32xf64>
          }
          affine.for %j = 0 to 32 {
            %v = affine.load %line[31 - %j] : memref<32xf64>
            affine.store %v, %t[%i, %j, %k] : memref<32x32x32xf64>
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
      cpe.sync
      affine.for %i = 0 to 32 {
        affine.for %k = 0 to 32 {
          %line = memref.alloca() : memref<32xf64>
          affine.for %j = 0 to 32 {
            %v = affine.load %t[%i, %j, %k] : memref<32x32x32xf64>
            affine.store %v, %line[%j] : memref<32xf64>
          }
          affine.for %j = 0 to 32 {
            %v = affine.load %line[31 - %j] : memref<32xf64>
            affine.store %v, %y[%i, %j, %k] : memref<32x32x32xf64>
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
    }
    %v = memref.load %t[%c0, %c0, %c0] : memref<32x32x32xf64>
    memref.store %v, %s[%c0] : memref<1xf64>
    return
  }
}
