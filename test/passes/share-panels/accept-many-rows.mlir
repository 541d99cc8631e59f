// Of many rows each core has a part, and all of the other factor, which comes once for all. What the
// last core has too many of, the one before writes.
// RUN: cat %target_sw26010 %s | weft-opt - --share-panels --canonicalize | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --share-panels --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=WHY

// WHY: 1 products of 13000 by 8 by 8, each core a part of the rows and all that it needs, in blocks of 204 by 8 a core

// CHECK-DAG:   #[[$WHOLE:.*]] = affine_set<(d0, d1) : (-(d0 * 8 + d1) + 62 >= 0)>
// CHECK-DAG:   #[[$LAST:.*]] = affine_set<(d0, d1) : (d0 * 8 + d1 - 63 == 0)>
// CHECK-LABEL: func.func @product
// CHECK:         %[[C:.*]] = cpe.spread : memref<8x8x1632xf64>
// CHECK-NEXT:    %[[A:.*]] = cpe.spread : memref<8x8x1632xf64>
// CHECK-NEXT:    %[[B:.*]] = memref.alloca() : memref<64xf64>
// CHECK-NEXT:    cpe.sync
// CHECK-NEXT:    cpe.dma_get %arg1[%{{.*}}], %[[B]] block 64 counts [] strides [] for_all
// CHECK-NEXT:    cpe.dma_wait
// CHECK-NEXT:    cpe.sync
// CHECK:         cpe.dma_get %arg0[%{{.*}}], %[[A]] of[%{{.*}}, %{{.*}}] block 1632 counts [] strides []
// CHECK-NOT:     cpe.broadcast
// CHECK:         affine.vector_load %[[B]]
// CHECK:         affine.load %[[A]]
// CHECK:         math.fma
// CHECK:         affine.if #[[$WHOLE]]
// CHECK:           cpe.dma_put %[[C]] of[%{{.*}}, %{{.*}}], %arg2[%{{.*}}] block 1632 counts [] strides []
// CHECK:         affine.if #[[$LAST]]
// CHECK:           cpe.dma_put %[[C]][%c448] of[%{{.*}}, %{{.*}}], %arg2[%{{.*}}] block 1184 counts [] strides []
// CHECK:         cpe.dma_wait
// CHECK-NOT:     cpe.sync
module attributes {weft.target = #target} {
  func.func @product(%a: memref<13000x8xf64>, %b: memref<8x8xf64>, %c: memref<13000x8xf64>) {
    cpe.cores {
      affine.for %i = 0 to 13000 {
        affine.for %j = 0 to 8 {
          %zero = arith.constant 0.0 : f64
          %s = affine.for %k = 0 to 8 iter_args(%t = %zero) -> f64 {
            %x = affine.load %a[%i, %k] : memref<13000x8xf64>
            %y = affine.load %b[%k, %j] : memref<8x8xf64>
            %u = math.fma %x, %y, %t : f64
            affine.yield %u : f64
          }
          affine.store %s, %c[%i, %j] : memref<13000x8xf64>
        } {weft.independent, weft.shared_products}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
