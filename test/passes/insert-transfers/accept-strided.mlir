// Columns of a matrix come as rows of a tile, many columns at once, and go back the same way: four
// cores with runs of 512 bytes keep the memory busy, 64 cores with runs of 32 bytes would make it wait.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-transfers --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @columns
// CHECK:         cpe.cores {
// CHECK-NEXT:      affine.for %[[AT:.*]] = 0 to 256 step 64 {
// CHECK-NEXT:        %[[TILE:.*]] = memref.alloca() : memref<1024xf64>
// CHECK-NEXT:        cpe.dma_get %arg0[%[[AT]]], %[[TILE]] block 64 counts [16] strides [256] : memref<16x256xf64>, memref<1024xf64>
// CHECK-NEXT:        cpe.dma_wait
// CHECK-NEXT:        affine.for %[[J:.*]] = 0 to 64 {
// CHECK:               affine.for %[[I:.*]] = 0 to 16 {
// CHECK:                 affine.load %[[TILE]][%[[I]] * 64 + %[[J]]]
// CHECK:                 affine.store {{.*}}, %[[TILE]][%[[I]] * 64 + %[[J]]]
// CHECK:             cpe.dma_put %[[TILE]], %arg0[%[[AT]]] block 64 counts [16] strides [256] : memref<1024xf64>, memref<16x256xf64>
// CHECK-NEXT:        cpe.dma_wait
// CHECK-NEXT:      } {weft.parallel}
module attributes {weft.target = #target} {
  func.func @columns(%x: memref<16x256xf64>) {
    cpe.cores {
      affine.for %j = 0 to 256 {
        affine.for %i = 0 to 16 {
          %v = affine.load %x[%i, %j] : memref<16x256xf64>
          %w = arith.addf %v, %v : f64
          affine.store %w, %x[%i, %j] : memref<16x256xf64>
        }
      } {weft.parallel}
    }
    return
  }
}
