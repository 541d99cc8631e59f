// A piece has as many iterations as serve all arrays that one iteration serves: of 4096 columns the
// table would come by DMA alone, since 4 rows of them are more than the LDM has room for.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-transfers --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @columns
// CHECK:         affine.for %[[P:.*]] = 0 to 128
// CHECK-NEXT:      affine.for %[[AT:.*]] = 0 to {{[0-9]+}} step [[N:[0-9]+]] {
// CHECK:             cpe.dma_get %arg1[%{{.*}}], %{{.*}} block [[N]] counts [4] strides [524288]
// CHECK:             affine.for %{{.*}} = 0 to [[N]] {
// CHECK:             cpe.dma_put %{{.*}}, %arg2[%{{.*}}] block [[N]] counts [4] strides [4096]
module attributes {weft.target = #target} {
  func.func @columns(%table: memref<128xf64>, %x: memref<512x4096xf64>,
                     %y: memref<128x4x4096xf64>) {
    cpe.cores {
      affine.for %p = 0 to 128 {
        affine.for %j = 0 to 4096 {
          %w = affine.load %table[%p] : memref<128xf64>
          %v0 = affine.load %x[%p + 0, %j] : memref<512x4096xf64>
          %s0 = arith.mulf %w, %v0 : f64
          affine.store %s0, %y[%p, 0, %j] : memref<128x4x4096xf64>
          %v1 = affine.load %x[%p + 128, %j] : memref<512x4096xf64>
          %s1 = arith.mulf %w, %v1 : f64
          affine.store %s1, %y[%p, 1, %j] : memref<128x4x4096xf64>
          %v2 = affine.load %x[%p + 256, %j] : memref<512x4096xf64>
          %s2 = arith.mulf %w, %v2 : f64
          affine.store %s2, %y[%p, 2, %j] : memref<128x4x4096xf64>
          %v3 = affine.load %x[%p + 384, %j] : memref<512x4096xf64>
          %s3 = arith.mulf %w, %v3 : f64
          affine.store %s3, %y[%p, 3, %j] : memref<128x4x4096xf64>
        } {weft.independent, weft.lane, weft.parallel}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
