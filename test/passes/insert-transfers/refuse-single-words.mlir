// What an innermost loop of one core touches word by word is not fetched word by word: a transfer
// takes longer than the access.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-transfers --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @sums
// CHECK:         cpe.cores {
// CHECK-NOT:       cpe.dma_get %arg0
// CHECK:           affine.for {{.*}} iter_args
// CHECK-NEXT:        affine.load %arg0
// CHECK-NOT:       cpe.dma_get %arg0
module attributes {weft.target = #target} {
  func.func @sums(%x: memref<64x65536xf64>, %y: memref<64xf64>) {
    cpe.cores {
      %zero = arith.constant 0.0 : f64
      affine.for %i = 0 to 64 {
        %s = affine.for %j = 0 to 65536 iter_args(%sum = %zero) -> f64 {
          %v = affine.load %x[%i, %j] : memref<64x65536xf64>
          %w = arith.addf %sum, %v : f64
          affine.yield %w : f64
        }
        affine.store %s, %y[%i] : memref<64xf64>
      } {weft.independent, weft.parallel}
    }
    return
  }
}
