// A block of the result stays with each core; parts of panels come by DMA, the next ones while these
// are used, and go to the cores of a row and of a column.
// RUN: cat %target_sw26010 %s | weft-opt - --share-panels --canonicalize | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --share-panels --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=WHY

// WHY: 1 products of 512 by 512 by 512, 1 at a time, in blocks of 32 by 64 a core
// WHY-SAME: bytes of a core's 57344

// CHECK-LABEL: func.func @product
// CHECK:         cpe.cores {
// CHECK:           %[[C:.*]] = cpe.spread : memref<8x8x2048xf64>
// CHECK-NEXT:      %[[ANEXT:.*]] = cpe.spread : memref<8x8x[[PART:[0-9]+]]xf64>
// CHECK-NEXT:      %[[A:.*]] = cpe.spread : memref<8x8x[[PART]]xf64>
// CHECK-NEXT:      %[[ASENT:.*]] = cpe.spread : memref<8x8x[[PART]]xf64>
// CHECK-NEXT:      %[[BNEXT:.*]] = cpe.spread : memref<8x8x[[PARTB:[0-9]+]]xf64>
// CHECK-NEXT:      %[[B:.*]] = cpe.spread : memref<8x8x[[PARTB]]xf64>
// CHECK-NEXT:      %[[BSENT:.*]] = cpe.spread : memref<8x8x[[PARTB]]xf64>
// CHECK:           cpe.dma_get %arg0[%{{.*}}], %[[ANEXT]] of[%{{.*}}, %{{.*}}] block {{[0-9]+}} counts [32] strides [512]
// CHECK:           cpe.dma_get %arg1[%{{.*}}], %[[BNEXT]] of[%{{.*}}, %{{.*}}] block 64 counts [{{[0-9]+}}] strides [512]
// CHECK:           affine.for %{{.*}} = 0 to 2 {
// CHECK:           affine.for %{{.*}} = 0 to 4 {
// CHECK-NEXT:        cpe.dma_wait
// CHECK:             affine.vector_load %[[ANEXT]]
// CHECK-NEXT:        affine.vector_store %{{.*}}, %[[A]]
// CHECK:             affine.vector_load %[[BNEXT]]
// CHECK-NEXT:        affine.vector_store %{{.*}}, %[[B]]
// CHECK:             cpe.dma_get %arg0[%{{.*}}], %[[ANEXT]]
// CHECK:             affine.for %[[S:.*]] = 0 to 8 {
// CHECK-NEXT:          cpe.broadcast %[[A]] from %[[S]], %[[ASENT]] along_rows
// CHECK-NEXT:          cpe.broadcast %[[B]] from %[[S]], %[[BSENT]] :
// CHECK:               affine.vector_load %[[C]]
// CHECK:               affine.vector_load %[[BSENT]]
// CHECK:               affine.load %[[ASENT]]
// CHECK:               math.fma
// CHECK:               affine.vector_store %{{.*}}, %[[C]]
// CHECK:           cpe.dma_put %[[C]] of[%{{.*}}, %{{.*}}], %arg2[%{{.*}}] block 64 counts [32] strides [512]
// CHECK-NOT:       affine.if
// CHECK:           cpe.dma_wait
module attributes {weft.target = #target} {
  func.func @product(%a: memref<512x512xf64>, %b: memref<512x512xf64>, %c: memref<512x512xf64>) {
    cpe.cores {
      affine.for %i = 0 to 512 {
        affine.for %j = 0 to 512 {
          %zero = arith.constant 0.0 : f64
          %s = affine.for %k = 0 to 512 iter_args(%t = %zero) -> f64 {
            %x = affine.load %a[%i, %k] : memref<512x512xf64>
            %y = affine.load %b[%k, %j] : memref<512x512xf64>
            %u = math.fma %x, %y, %t : f64
            affine.yield %u : f64
          }
          affine.store %s, %c[%i, %j] : memref<512x512xf64>
        } {weft.independent, weft.shared_products}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
