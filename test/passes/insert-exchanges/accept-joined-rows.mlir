// Parts of an array that stays with the cores, put into one that does not: a core has four elements
// of each of four rows side by side, for each of 32 planes. The cores of a row have whole rows, which
// lie one behind the other: one run of 128 elements.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @rows
// CHECK:         cpe.exchange %{{.*}}, %[[OUT:.*]] along_rows block 4 counts [16] from 64 [4] to 4 [32]
// CHECK:         cpe.dma_put %[[OUT]] of[%{{.*}}, %{{.*}}], %arg1[%{{.*}}] block 128 counts [4] strides [1024]
module attributes {weft.target = #target} {
  func.func @rows(%x: memref<32x32x32xf64>, %y: memref<32x32x32xf64>) {
    %t = memref.alloc() : memref<32x32x32xf64>
    cpe.cores {
      affine.for %j = 0 to 32 {
        affine.for %k = 0 to 32 {
          affine.for %i = 0 to 32 {
            %v = affine.load %x[%i, %j, %k] : memref<32x32x32xf64>
            affine.store %v, %t[%i, %j, %k] : memref<32x32x32xf64>
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
      cpe.sync
      affine.for %j = 0 to 32 {
        affine.for %k = 0 to 32 {
          affine.for %i = 0 to 32 {
            %v = affine.load %t[%i, %j, %k] : memref<32x32x32xf64>
            affine.store %v, %y[%i, %j, %k] : memref<32x32x32xf64>
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
