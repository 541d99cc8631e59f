// Extents that blocks do not divide: the last block of rows and of columns begins in the one before,
// and puts what that has not. What panels leave of the reduced index, every core fetches for itself. A
// left factor with its rows side by side comes as it lies.
// RUN: cat %target_sw26010 %s | weft-opt - --share-panels --canonicalize | FileCheck %s

// CHECK-DAG:   #[[$BOTH:.*]] = affine_set<(d0, d1) : (-d0 + 5 >= 0, -d1 + 6 >= 0)>
// CHECK-DAG:   #[[$RIGHT:.*]] = affine_set<(d0, d1) : (-d0 + 5 >= 0, d1 - 7 == 0)>
// CHECK-DAG:   #[[$BELOW:.*]] = affine_set<(d0, d1) : (d0 - 6 == 0, -d1 + 6 >= 0)>
// CHECK-DAG:   #[[$CORNER:.*]] = affine_set<(d0, d1) : (d0 - 6 == 0, d1 - 7 == 0)>
// CHECK-LABEL: func.func @borders
// CHECK:         %[[C:.*]] = cpe.spread : memref<8x8x1024xf64>
// CHECK:         cpe.broadcast {{.*}} along_rows
// CHECK:         cpe.dma_get %arg0[%{{.*}}], %[[REST:.*]] of[%{{.*}}, %{{.*}}] block 16 counts [{{[1-7]}}] strides [100]
// CHECK:         cpe.dma_wait
// CHECK-NOT:     cpe.broadcast
// CHECK:         affine.load %[[REST]]
// CHECK:         affine.if #[[$BOTH]]
// CHECK:           cpe.dma_put %[[C]] of[%{{.*}}, %{{.*}}], %arg2[%{{.*}}] block 64 counts [16] strides [500] :
// CHECK:         affine.if #[[$RIGHT]]
// CHECK:           cpe.dma_put %[[C]][%c12] of[%{{.*}}, %{{.*}}], %arg2[%{{.*}}] block 52 counts [16] strides [500] pitches [64]
// CHECK:         affine.if #[[$BELOW]]
// CHECK:           cpe.dma_put %[[C]][%c768] of[%{{.*}}, %{{.*}}], %arg2[%{{.*}}] block 64 counts [4] strides [500] pitches [64]
// CHECK:         affine.if #[[$CORNER]]
// CHECK:           cpe.dma_put %[[C]][%c780] of[%{{.*}}, %{{.*}}], %arg2[%{{.*}}] block 52 counts [4] strides [500] pitches [64]
// CHECK:         cpe.dma_wait
// CHECK-NOT:     cpe.sync
module attributes {weft.target = #target} {
  func.func @borders(%a: memref<83x100xf64>, %b: memref<83x500xf64>, %c: memref<100x500xf64>) {
    cpe.cores {
      affine.for %i = 0 to 100 {
        affine.for %j = 0 to 500 {
          %zero = arith.constant 0.0 : f64
          %s = affine.for %k = 0 to 83 iter_args(%t = %zero) -> f64 {
            %x = affine.load %a[%k, %i] : memref<83x100xf64>
            %y = affine.load %b[%k, %j] : memref<83x500xf64>
            %u = math.fma %x, %y, %t : f64
            affine.yield %u : f64
          }
          affine.store %s, %c[%i, %j] : memref<100x500xf64>
        } {weft.independent, weft.shared_products}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
