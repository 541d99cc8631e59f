// A table that is read first of all is got by one core for all of them. One that a later part reads
// is got by each: a sync there would keep cores in step.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-transfers --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @two_parts
// CHECK:         cpe.cores {
// CHECK:           cpe.sync
// CHECK:           cpe.dma_get %{{.*}}[%{{.*}}], %{{.*}} block 64 counts [] strides [] for_all
// CHECK-NEXT:      cpe.dma_wait
// CHECK-NEXT:      cpe.sync
// CHECK-NEXT:      affine.for
// CHECK:           cpe.dma_get %{{.*}}[%{{.*}}], %{{.*}} block 32 counts [] strides [] : memref<32xf64>
// CHECK-NEXT:      cpe.dma_wait
// CHECK-NOT:       cpe.sync
module attributes {weft.target = #target} {
  memref.global "private" constant @w : memref<64xf64> = dense<2.0>
  memref.global "private" constant @v : memref<32xf64> = dense<3.0>
  func.func @two_parts(%x: memref<512x64xf64>, %y: memref<512x64xf64>, %z: memref<512x32xf64>) {
    %w = memref.get_global @w : memref<64xf64>
    %v = memref.get_global @v : memref<32xf64>
    cpe.cores {
      affine.for %j = 0 to 512 {
        affine.for %i = 0 to 64 {
          %a = affine.load %x[%j, %i] : memref<512x64xf64>
          %b = affine.load %w[%i] : memref<64xf64>
          %c = arith.mulf %a, %b : f64
          affine.store %c, %y[%j, %i] : memref<512x64xf64>
        }
      } {weft.parallel}
      affine.for %j = 0 to 512 {
        affine.for %i = 0 to 32 {
          %a = affine.load %x[%j, %i] : memref<512x64xf64>
          %b = affine.load %v[%i] : memref<32xf64>
          %c = arith.mulf %a, %b : f64
          affine.store %c, %z[%j, %i] : memref<512x32xf64>
        }
      } {weft.parallel}
    }
    return
  }
}
