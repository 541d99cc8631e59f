// What is contiguous along one of two loops where it is read, along the other where it is written,
// passes in tiles: 8 rows of 256 numbers have runs of 64 and of 2048 bytes, where a row alone would
// be fetched number by number. The rows of a tile go around its columns again. Fewer cores than there
// are keep the memory busy then.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-transfers --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @turned
// CHECK:         affine.for %{{.*}} = 0 to 64 step 8 {
// CHECK-NEXT:      affine.for %{{.*}} = 0 to 1024 step 256 {
// CHECK:             cpe.dma_get %arg0[{{.*}} block 8 counts [256] strides [64]
// CHECK:             affine.for %{{.*}} = 0 to 8 {
// CHECK-NEXT:          affine.for %{{.*}} = 0 to 256 {
// CHECK:               } {weft.independent, weft.lane}
// CHECK-NEXT:        } {weft.independent, weft.transpose}
// CHECK:             cpe.dma_put %{{.*}}, %arg1[{{.*}}] block 256 counts [8] strides [1024]
// CHECK:           } {weft.independent, weft.parallel}
// CHECK-NEXT:    } {weft.independent, weft.parallel}
// Where no tile is without rest, the rest is a nest of its own.
// CHECK-LABEL: func.func @prime
// CHECK:         affine.for %{{.*}} = 0 to 248 step 8 {
// CHECK:           cpe.dma_get %arg0[{{.*}} block 8
// CHECK:         affine.for %{{.*}} = 248 to 251
// CHECK:           cpe.dma_get %arg0[{{.*}} block 3
module attributes {weft.target = #target} {
  func.func @turned(%x: memref<1024x64xf64>, %y: memref<64x1024xf64>) {
    cpe.cores {
      affine.for %i = 0 to 64 {
        affine.for %j = 0 to 1024 {
          %a = affine.load %x[%j, %i] : memref<1024x64xf64>
          affine.store %a, %y[%i, %j] : memref<64x1024xf64>
        } {weft.independent, weft.lane, weft.parallel}
      } {weft.independent, weft.parallel, weft.transpose}
    }
    return
  }
  func.func @prime(%x: memref<256x251xf64>, %y: memref<251x256xf64>) {
    cpe.cores {
      affine.for %i = 0 to 251 {
        affine.for %j = 0 to 256 {
          %a = affine.load %x[%j, %i] : memref<256x251xf64>
          affine.store %a, %y[%i, %j] : memref<251x256xf64>
        } {weft.independent, weft.lane, weft.parallel}
      } {weft.independent, weft.parallel, weft.transpose}
    }
    return
  }
}
