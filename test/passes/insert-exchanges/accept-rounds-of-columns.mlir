// Rounds of 32 columns, four for each core of a row of the mesh: the cores of a column of it share
// the points of a column, and exchange them once between the two nests. Each core's run of a point is
// four elements; the row moves all 32 together.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --canonicalize | FileCheck %s --implicit-check-not=cpe.sync

// CHECK-LABEL: func.func @rounds
// CHECK:         affine.for %[[ROUND:.*]] = 0 to 128 step 32 {
// CHECK:           cpe.dma_get %arg0[%{{.*}}], %[[GOT:.*]] of[%{{.*}}, %{{.*}}] block 32 counts [16] strides [1024]
// CHECK:           cpe.exchange %[[GOT]], %[[IN:.*]] along_rows block 4 counts [16] from 4 [32] to 64 [4]
// CHECK:           affine.load %[[IN]]
// CHECK:           affine.store %{{.*}}, %[[FROM:.*]][
// CHECK:           cpe.exchange %[[FROM]], %[[TO:.*]] block 4 counts [4, 4] from 4 [128, 32] to 16 [128, 4]
// CHECK:           affine.load %[[TO]]
// CHECK:           affine.store %{{.*}}, %[[OUT:.*]][
// CHECK:           cpe.exchange %[[OUT]], %[[PUT:.*]] along_rows block 4 counts [16] from 64 [4] to 4 [32]
// CHECK:           cpe.dma_put %[[PUT]] of[%{{.*}}, %{{.*}}], %arg1[%{{.*}}] block 32 counts [16] strides [1024]
// CHECK:         } {weft.in_turn}
module attributes {weft.target = #target} {
  func.func @rounds(%x: memref<1024x128xf64>, %y: memref<1024x128xf64>) {
    %t = memref.alloc() : memref<1024x32xf64>
    cpe.cores {
      affine.for %i = 0 to 128 step 32 {
        affine.for %c = 0 to 8 {
          affine.for %q = 0 to 4 {
            affine.for %l = 0 to 32 {
              affine.for %j = 0 to 32 {
                %v = affine.load %x[%j * 32 + %q * 8 + %c, %i + %l] : memref<1024x128xf64>
                affine.store %v, %t[%q * 256 + %c * 32 + %j, %l] : memref<1024x32xf64>
              }
            } {weft.independent}
          } {weft.independent}
        } {weft.independent, weft.parallel}
        cpe.sync
        affine.for %c = 0 to 8 {
          affine.for %q = 0 to 4 {
            affine.for %l = 0 to 32 {
              affine.for %j = 0 to 32 {
                %v = affine.load %t[%j * 32 + %q * 8 + %c, %l] : memref<1024x32xf64>
                affine.store %v, %y[%j * 32 + %q * 8 + %c, %i + %l] : memref<1024x128xf64>
              }
            } {weft.independent}
          } {weft.independent}
        } {weft.independent, weft.parallel}
        cpe.sync
      } {weft.in_turn}
    }
    return
  }
}
