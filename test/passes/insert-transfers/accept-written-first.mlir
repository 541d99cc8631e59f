// What a line writes before it reads it is not fetched, though another line comes between; what it
// reads before it writes it is.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-transfers --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @written_first
// CHECK-COUNT-1: cpe.dma_get %arg0
// CHECK-NOT:     cpe.dma_get
// CHECK:         cpe.dma_put %{{.*}}, %arg1
// CHECK-LABEL: func.func @read_first
// CHECK:         cpe.dma_get %arg0
// CHECK:         cpe.dma_get %arg1
// CHECK:         cpe.dma_put %{{.*}}, %arg1
module attributes {weft.target = #target} {
  func.func @written_first(%x: memref<64x64x32xf64>, %y: memref<64x64x32xf64>) {
    cpe.cores {
      affine.for %i = 0 to 64 {
        affine.for %j = 0 to 64 {
          affine.for %k = 0 to 16 {
            %a = affine.load %x[%i, %j, %k] : memref<64x64x32xf64>
            %b = affine.load %x[%i, %j, %k + 16] : memref<64x64x32xf64>
            %s = arith.addf %a, %b : f64
            affine.store %s, %y[%i, %j, %k * 2] : memref<64x64x32xf64>
            affine.store %a, %y[%i, %j, %k * 2 + 1] : memref<64x64x32xf64>
          }
          affine.for %k = 0 to 32 {
            %a = affine.load %y[%i, %j, %k] : memref<64x64x32xf64>
            %s = arith.mulf %a, %a : f64
            affine.store %s, %y[%i, %j, %k] : memref<64x64x32xf64>
          }
        } {weft.independent}
      } {weft.independent, weft.parallel}
    }
    return
  }
  func.func @read_first(%x: memref<64x64x32xf64>, %y: memref<64x64x32xf64>) {
    cpe.cores {
      affine.for %i = 0 to 64 {
        affine.for %j = 0 to 64 {
          affine.for %k = 0 to 15 {
            %a = affine.load %x[%i, %j, %k] : memref<64x64x32xf64>
            affine.store %a, %y[%i, %j, %k * 2] : memref<64x64x32xf64>
            affine.store %a, %y[%i, %j, %k * 2 + 1] : memref<64x64x32xf64>
          }
          affine.for %k = 0 to 32 {
            %a = affine.load %y[%i, %j, %k] : memref<64x64x32xf64>
            affine.store %a, %y[%i, %j, %k] : memref<64x64x32xf64>
          }
        } {weft.independent}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
