// Where an index is data, an array is accessed where it is; the others pass through the LDM.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-transfers --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @gather
// CHECK-NOT:     cpe.dma_get %arg0
// CHECK:         cpe.dma_get %arg1
// CHECK-NOT:     cpe.dma_get %arg0
// CHECK:         memref.load %arg0
// CHECK-NOT:     cpe.dma_get %arg0
// CHECK:         cpe.dma_put %{{.*}}, %arg2
module attributes {weft.target = #target} {
  func.func @gather(%x: memref<4096xf64>, %at: memref<256xi64>, %y: memref<256xf64>) {
    cpe.cores {
      affine.for %i = 0 to 256 {
        %n = affine.load %at[%i] : memref<256xi64>
        %index = arith.index_cast %n : i64 to index
        %v = memref.load %x[%index] : memref<4096xf64>
        affine.store %v, %y[%i] : memref<256xf64>
      } {weft.independent, weft.parallel}
    }
    return
  }
}
