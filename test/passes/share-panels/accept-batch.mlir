// Of many small products the cores have some each: nothing is sent along a direction that has
// products of its own, and a product that two places have is written by one.
// RUN: cat %target_sw26010 %s | weft-opt - --share-panels --canonicalize | FileCheck %s

// CHECK-DAG:   #[[$SET:.*]] = affine_set<({{.*}}) : ({{.*}} >= 0)>
// CHECK-LABEL: func.func @products
// CHECK:         %[[C:.*]] = cpe.spread : memref<8x8x64xf32>
// CHECK-NOT:     cpe.broadcast
// CHECK:         affine.for %{{.*}} = 0 to 2 {
// CHECK:           affine.if #[[$SET]]
// CHECK-NEXT:        affine.apply
// CHECK-NEXT:        cpe.dma_put %[[C]]
module attributes {weft.target = #target} {
  func.func @products(%a: memref<100x8x16xf32>, %b: memref<100x16x8xf32>, %c: memref<100x8x8xf32>) {
    cpe.cores {
      affine.for %n = 0 to 100 {
        affine.for %i = 0 to 8 {
          affine.for %j = 0 to 8 {
            %zero = arith.constant 0.0 : f32
            %s = affine.for %k = 0 to 16 iter_args(%t = %zero) -> f32 {
              %x = affine.load %a[%n, %i, %k] : memref<100x8x16xf32>
              %y = affine.load %b[%n, %k, %j] : memref<100x16x8xf32>
              %u = math.fma %x, %y, %t : f32
              affine.yield %u : f32
            }
            affine.store %s, %c[%n, %i, %j] : memref<100x8x8xf32>
          } {weft.independent, weft.shared_products}
        } {weft.independent}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
