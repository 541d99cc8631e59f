// Columns of 512 in fours: a core alone would fetch runs of four. The cores of a row fetch runs of 32
// together, each a share of the rows, and exchange what is of each other's columns; and back. What
// goes out has an array of its own, made when what came in has been read.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @columns
// CHECK:         affine.for %{{.*}} = 0 to 16 {
// CHECK-DAG:       %[[COLUMNS:.*]] = cpe.spread : memref<8x8x2048xf64>
// CHECK-DAG:       %[[GOT:.*]] = cpe.spread : memref<8x8x2048xf64>
// CHECK:           affine.for %[[R:[a-z0-9]+]] = 0 to 8 {
// CHECK-NEXT:        affine.for %[[C:[a-z0-9]+]] = 0 to 8 {
// CHECK:               cpe.dma_get %arg0[%{{.*}}], %[[FROM:[a-z0-9]+]] of[%[[R]], %[[C]]] block 32 counts [64] strides [512]
// CHECK-NEXT:          cpe.dma_wait
// CHECK:           cpe.exchange %[[FROM]], %[[WORK:[a-z0-9]+]] along_rows block 4 counts [64] from 4 [32] to 256 [4]
// CHECK:           affine.load %[[WORK]]
// CHECK:           affine.store %{{.*}}, %[[DONE:[a-z0-9]+]][%{{.*}}, %{{.*}}, %
// CHECK:           cpe.exchange %[[DONE]], %[[TO:[a-z0-9]+]] along_rows block 4 counts [64] from 256 [4] to 4 [32]
// CHECK:               cpe.dma_put %[[TO]] of[%{{.*}}, %{{.*}}], %arg0[%{{.*}}] block 32 counts [64] strides [512]
module attributes {weft.target = #target} {
  func.func @columns(%x: memref<8x512x512xf64>) {
    cpe.cores {
      affine.for %i = 0 to 8 {
        affine.for %j = 0 to 512 step 4 {
          %line = memref.alloca() : memref<512x4xf64>
          affine.for %k = 0 to 512 {
            affine.for %l = 0 to 4 {
              %v = affine.load %x[%i, %k, %j + %l] : memref<8x512x512xf64>
              affine.store %v, %line[%k, %l] : memref<512x4xf64>
            }
          }
          affine.for %k = 0 to 512 {
            affine.for %l = 0 to 4 {
              %v = affine.load %line[511 - %k, %l] : memref<512x4xf64>
              affine.store %v, %x[%i, %k, %j + %l] : memref<8x512x512xf64>
            }
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
