// Of many terms each core adds a part, the first ones one more; then cores exchange the parts of their
// sums along rows and along columns, and each puts what it has of all.
// RUN: cat %target_sw26010 %s | weft-opt - --share-panels --canonicalize | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --share-panels --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=WHY

// WHY: 1 products of 24 by 2000 by 24, each core a part of the terms and all that it needs, in blocks of 24 by 24 a core

// CHECK-DAG:   #[[$SOME:.*]] = affine_set<(d0, d1) : (-(d0 * 8 + d1) + 15 >= 0)>
// CHECK-DAG:   #[[$FULL:.*]] = affine_set<(d0, d1) : (-(d1 * 8 + d0 - 48) - 1 >= 0)>
// CHECK-LABEL: func.func @product
// CHECK:         %[[SUMS:.*]] = cpe.spread : memref<8x8x768xf64>
// CHECK:         cpe.dma_get %arg0[%{{.*}}], %{{.*}} of[%{{.*}}, %{{.*}}] block 360 counts [] strides []
// CHECK:         cpe.dma_get %arg1[%{{.*}}], %{{.*}} of[%{{.*}}, %{{.*}}] block 360 counts [] strides []
// CHECK:         affine.if #[[$SOME]]
// CHECK:           cpe.dma_get %arg0[%{{.*}}], %{{.*}} of[%{{.*}}, %{{.*}}] block 24 counts [] strides []
// CHECK:         %[[PARTS:.*]] = cpe.spread : memref<8x8x768xf64>
// CHECK:         cpe.exchange %[[SUMS]], %[[PARTS]] along_rows block 96 counts [] from 96 [] to 96 []
// CHECK-COUNT-8: affine.vector_load %[[PARTS]]
// CHECK:         cpe.exchange %{{.*}}, %{{.*}} block 12 counts [] from 12 [] to 12 []
// CHECK:         affine.if #[[$FULL]]
// CHECK:           cpe.dma_put %{{.*}} of[%{{.*}}, %{{.*}}], %arg2[%{{.*}}] block 12 counts [] strides []
// CHECK-NOT:     cpe.dma_put
module attributes {weft.target = #target} {
  func.func @product(%a: memref<2000x24xf64>, %b: memref<2000x24xf64>, %c: memref<24x24xf64>) {
    cpe.cores {
      affine.for %i = 0 to 24 {
        affine.for %j = 0 to 24 {
          %zero = arith.constant 0.0 : f64
          %s = affine.for %k = 0 to 2000 iter_args(%t = %zero) -> f64 {
            %x = affine.load %a[%k, %i] : memref<2000x24xf64>
            %y = affine.load %b[%k, %j] : memref<2000x24xf64>
            %u = math.fma %x, %y, %t : f64
            affine.yield %u : f64
          }
          affine.store %s, %c[%i, %j] : memref<24x24xf64>
        } {weft.independent, weft.shared_products}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
