// Sums over windows: a core's block is some filters by whole lines. What it reads of a channel is one
// stretch of the image, which all taps use; lines of the block lie one behind the other before it is
// put.
// RUN: cat %target_sw26010 %s | weft-opt - --share-panels --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @windows
// CHECK:         %[[Y:.*]] = cpe.spread
// CHECK:         cpe.dma_get %arg1[%{{.*}}], %[[G:.*]] of[%{{.*}}, %{{.*}}] block {{9|18}} counts [{{[0-9]+}}] strides [144]
// CHECK:         cpe.dma_get %arg0[%{{.*}}], %[[X:.*]] of[%{{.*}}, %{{.*}}] block {{[0-9]+}} counts
// CHECK:         cpe.broadcast {{.*}} along_rows
// CHECK:         cpe.broadcast
// CHECK-COUNT-9: vector.broadcast
// CHECK:         affine.vector_store %{{.*}}, %[[Y]]
// CHECK:         %[[LINES:.*]] = cpe.spread
// CHECK:         affine.vector_load %[[Y]]
// CHECK-NEXT:    affine.vector_store %{{.*}}, %[[LINES]]
// CHECK:         cpe.dma_put %[[LINES]]
// CHECK:         cpe.dma_wait
module attributes {weft.target = #target} {
  func.func @windows(%x: memref<2x16x18x20xf32>, %g: memref<32x16x3x3xf32>, %y: memref<2x32x16x18xf32>) {
    cpe.cores {
      affine.for %n = 0 to 2 {
        affine.for %i = 0 to 16 {
          affine.for %k = 0 to 32 {
            affine.for %j = 0 to 18 {
              %zero = arith.constant 0.0 : f32
              %sum = affine.for %c = 0 to 16 iter_args(%p = %zero) -> f32 {
                %row = affine.for %r = 0 to 3 iter_args(%q = %p) -> f32 {
                  %tap = affine.for %s = 0 to 3 iter_args(%t = %q) -> f32 {
                    %a = affine.load %g[%k, %c, %r, %s] : memref<32x16x3x3xf32>
                    %b = affine.load %x[%n, %c, %i + %r, %j + %s] : memref<2x16x18x20xf32>
                    %u = math.fma %a, %b, %t : f32
                    affine.yield %u : f32
                  }
                  affine.yield %tap : f32
                }
                affine.yield %row : f32
              }
              affine.store %sum, %y[%n, %k, %i, %j] : memref<2x32x16x18xf32>
            } {weft.independent, weft.shared_products}
          } {weft.independent}
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
