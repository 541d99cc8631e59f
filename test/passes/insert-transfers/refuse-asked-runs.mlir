// Columns whose runs the schedule asks for and no row of cores can move together: a core has room for
// 16 columns of 60 points before and behind, and these are its runs.
// RUN: cat %target_sw26010 %s | not weft-opt - --insert-exchanges --insert-transfers 2>&1 | FileCheck %s
// RUN: cat %target_sw26010 %s | sed 's/weft.exchange = 64/weft.exchange = 16/' | weft-opt - --insert-exchanges --insert-transfers | FileCheck %s --check-prefix=KEPT

// CHECK: error: {{.*}}schedule: exchange 64: runs of {{.*}} in main memory have [[MOST:[0-9]+]] elements at most: 60 points are no multiple of the 8 cores of a row; expected 1 to [[MOST]]
// KEPT:     cpe.dma_get %arg0[%{{.*}}], %{{.*}} block [[SIDE:[0-9]+]] counts [60] strides [128]
// KEPT:     cpe.dma_put %{{.*}}, %arg1[%{{.*}}] block [[SIDE]] counts [60] strides [128]
// KEPT-NOT: weft.runs_alone
module attributes {weft.target = #target} {
  func.func @columns(%x: memref<8x60x128xf64>, %y: memref<8x60x128xf64>) attributes {weft.exchange = 64 : i64} {
    cpe.cores {
      affine.for %i = 0 to 8 {
        affine.for %j = 0 to 128 {
          affine.for %k = 0 to 60 {
            %v = affine.load %x[%i, %k, %j] : memref<8x60x128xf64>
            affine.store %v, %y[%i, 59 - %k, %j] : memref<8x60x128xf64>
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
