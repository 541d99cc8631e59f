// Of many columns each core has a part; cores beyond the last part fetch nothing. What all need of the
// other factor comes for all at once, a panel at a time: all cores are done with the one before.
// RUN: cat %target_sw26010 %s | weft-opt - --share-panels --canonicalize | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --share-panels --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=WHY

// WHY: 1 products of 8 by 12 by 4000, each core a part of the columns and all that it needs, in blocks of 8 by 64 a core

// CHECK-DAG:   #[[$WORK:.*]] = affine_set<(d0, d1) : (-(d0 * 8 + d1) + 62 >= 0)>
// CHECK-LABEL: func.func @product
// CHECK:         %[[C:.*]] = cpe.spread : memref<8x8x512xf64>
// CHECK-NEXT:    %[[ANEXT:.*]] = memref.alloca() : memref<48xf64>
// CHECK-NEXT:    %[[A:.*]] = memref.alloca() : memref<48xf64>
// CHECK:         cpe.sync
// CHECK-NEXT:    cpe.dma_get %arg0[%{{.*}}], %[[ANEXT]] block 6 counts [8] strides [12] for_all
// CHECK:         affine.if #[[$WORK]]
// CHECK:           cpe.dma_get %arg1[%{{.*}}], %[[BNEXT:.*]] of[%{{.*}}, %{{.*}}] block 64 counts [6] strides [4000]
// CHECK:         affine.for %{{.*}} = 0 to 2 {
// CHECK-NEXT:      cpe.dma_wait
// CHECK-NEXT:      cpe.sync
// CHECK:           affine.vector_load %[[ANEXT]]
// CHECK-NEXT:      affine.vector_store %{{.*}}, %[[A]]
// CHECK:           cpe.sync
// CHECK:           cpe.dma_get %arg0[%{{.*}}], %[[ANEXT]] block 6 counts [8] strides [12] for_all
module attributes {weft.target = #target} {
  func.func @product(%a: memref<8x12xf64>, %b: memref<12x4000xf64>, %c: memref<8x4000xf64>) {
    cpe.cores {
      affine.for %i = 0 to 8 {
        affine.for %j = 0 to 4000 {
          %zero = arith.constant 0.0 : f64
          %s = affine.for %k = 0 to 12 iter_args(%t = %zero) -> f64 {
            %x = affine.load %a[%i, %k] : memref<8x12xf64>
            %y = affine.load %b[%k, %j] : memref<12x4000xf64>
            %u = math.fma %x, %y, %t : f64
            affine.yield %u : f64
          }
          affine.store %s, %c[%i, %j] : memref<8x4000xf64>
        } {weft.independent, weft.shared_products}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
