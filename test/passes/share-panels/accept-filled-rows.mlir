// Rows of 13 elements are filled up to whole vectors in a core's memory: they come, and leave, as they lie
// one behind the other in main memory.
// RUN: cat %target_sw26010 %s | weft-opt - --share-panels --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @products
// CHECK:         %[[C:.*]] = cpe.spread : memref<8x8x128xf32>
// CHECK:         %[[COMING:.*]] = cpe.spread : memref<8x8x52xf32>
// CHECK-NEXT:    %[[PART:.*]] = cpe.spread : memref<8x8x64xf32>
// CHECK:         cpe.dma_get %arg1[%{{.*}}], %[[COMING]] of[%{{.*}}, %{{.*}}] block 52 counts [] strides []
// CHECK:         %[[MOVED:.*]] = affine.vector_load %[[COMING]][%{{.*}}, %{{.*}}, %[[TERM:.*]] * 13 + %[[AT:.*]]]
// CHECK-NEXT:    affine.vector_store %[[MOVED]], %[[PART]][%{{.*}}, %{{.*}}, %[[TERM]] * 16 + %[[AT]]]
// CHECK:         affine.vector_load %[[COMING]][%{{.*}}, %{{.*}}, %[[TERM]] * 13 + 9]
// CHECK:         %[[LINES:.*]] = cpe.spread : memref<8x8x104xf32>
// CHECK:         affine.vector_load %[[C]][%{{.*}}, %{{.*}}, %{{.*}} * 16 + %{{.*}}]
// CHECK-NEXT:    affine.vector_store %{{.*}}, %[[LINES]][%{{.*}}, %{{.*}}, %{{.*}} * 13 + %{{.*}}]
// CHECK:         cpe.dma_put %[[LINES]] of[%{{.*}}, %{{.*}}], %arg2[%{{.*}}] block 104 counts [] strides []
module attributes {weft.target = #target} {
  func.func @products(%a: memref<16x64x32xf32>, %b: memref<16x32x13xf32>, %c: memref<16x64x13xf32>) {
    cpe.cores {
      affine.for %n = 0 to 16 {
        affine.for %i = 0 to 64 {
          affine.for %j = 0 to 13 {
            %zero = arith.constant 0.0 : f32
            %s = affine.for %k = 0 to 32 iter_args(%t = %zero) -> f32 {
              %x = affine.load %a[%n, %i, %k] : memref<16x64x32xf32>
              %y = affine.load %b[%n, %k, %j] : memref<16x32x13xf32>
              %u = math.fma %x, %y, %t : f32
              affine.yield %u : f32
            }
            affine.store %s, %c[%n, %i, %j] : memref<16x64x13xf32>
          } {weft.independent, weft.shared_products}
        } {weft.independent}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
