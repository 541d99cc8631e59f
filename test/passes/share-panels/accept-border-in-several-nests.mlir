// A border whose parts are nests of their own, one behind the other, as those of few planes are: all of
// them together fill the array, and go; so does what is done with results on the way into it.
// RUN: cat %target_sw26010 %s | weft-opt - --share-panels --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @net
// CHECK:         %[[T:.*]] = memref.alloc() : memref<64x2048xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         cpe.spread
// CHECK-NEXT:    %[[Y:.*]] = cpe.spread
// CHECK:         %[[R:.*]] = affine.load %[[Y]]
// CHECK-NEXT:    %[[B:.*]] = affine.load
// CHECK-NEXT:    %[[Q:.*]] = arith.addf %[[R]], %[[B]]
// CHECK-NEXT:    affine.store %[[Q]], %[[Y]]
// CHECK:         cpe.dma_put %[[Y]] of[%{{.*}}], %[[T]]
// CHECK-NOT:     affine.load %arg
// CHECK:         cpe.dma_get %[[T]]{{.*}} pitches
// CHECK:         cpe.dma_put %{{.*}}, %arg3
// CHECK:         return
module attributes {weft.target = #target} {
  func.func @net(%x: memref<64x2050xf32>, %u: memref<4x64x64xf32>, %b: memref<64xf32>, %y: memref<64x2048xf32>) {
    %v = memref.alloc() : memref<4x64x1024xf32>
    %m = memref.alloc() : memref<4x64x1024xf32>
    %t1 = memref.alloc() : memref<64x2048xf32>
    %bordered = memref.alloc() : memref<64x2050xf32>
    cpe.cores {
      affine.for %c = 0 to 64 {
        affine.for %t = 0 to 1024 {
          %d0 = affine.load %x[%c, 2 * %t] : memref<64x2050xf32>
          %d1 = affine.load %x[%c, 2 * %t + 1] : memref<64x2050xf32>
          %d2 = affine.load %x[%c, 2 * %t + 2] : memref<64x2050xf32>
          %d3 = affine.load %x[%c, 2 * %t + 3] : memref<64x2050xf32>
          %v0 = arith.subf %d0, %d2 : f32
          %v1 = arith.addf %d1, %d2 : f32
          %v2 = arith.subf %d2, %d1 : f32
          %v3 = arith.subf %d1, %d3 : f32
          affine.store %v0, %v[0, %c, %t] : memref<4x64x1024xf32>
          affine.store %v1, %v[1, %c, %t] : memref<4x64x1024xf32>
          affine.store %v2, %v[2, %c, %t] : memref<4x64x1024xf32>
          affine.store %v3, %v[3, %c, %t] : memref<4x64x1024xf32>
        } {weft.independent}
      } {weft.independent, weft.parallel}
      cpe.sync
      affine.for %p = 0 to 4 {
        affine.for %k = 0 to 64 {
          affine.for %t = 0 to 1024 {
            %zero = arith.constant 0.0 : f32
            %s = affine.for %c = 0 to 64 iter_args(%sum = %zero) -> f32 {
              %f = affine.load %u[%p, %k, %c] : memref<4x64x64xf32>
              %g = affine.load %v[%p, %c, %t] : memref<4x64x1024xf32>
              %h = math.fma %f, %g, %sum : f32
              affine.yield %h : f32
            }
            affine.store %s, %m[%p, %k, %t] : memref<4x64x1024xf32>
          } {weft.independent, weft.shared_products}
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
      cpe.sync
      affine.for %k = 0 to 64 {
        affine.for %t = 0 to 1024 {
          %m0 = affine.load %m[0, %k, %t] : memref<4x64x1024xf32>
          %m1 = affine.load %m[1, %k, %t] : memref<4x64x1024xf32>
          %m2 = affine.load %m[2, %k, %t] : memref<4x64x1024xf32>
          %m3 = affine.load %m[3, %k, %t] : memref<4x64x1024xf32>
          %sum = arith.addf %m1, %m2 : f32
          %r0 = arith.addf %m0, %sum : f32
          %dif = arith.subf %m1, %m2 : f32
          %r1 = arith.subf %dif, %m3 : f32
          affine.store %r0, %t1[%k, 2 * %t] : memref<64x2048xf32>
          affine.store %r1, %t1[%k, 2 * %t + 1] : memref<64x2048xf32>
        } {weft.independent}
      } {weft.independent, weft.parallel}
      cpe.sync
      affine.for %c = 0 to 64 {
        affine.for %i = 0 to 1 {
          %zero = arith.constant 0.0 : f32
          affine.store %zero, %bordered[%c, %i] : memref<64x2050xf32>
        } {weft.independent}
      } {weft.independent, weft.parallel}
      cpe.sync
      affine.for %c = 0 to 64 {
        affine.for %i = 2049 to 2050 {
          %zero = arith.constant 0.0 : f32
          affine.store %zero, %bordered[%c, %i] : memref<64x2050xf32>
        } {weft.independent}
      } {weft.independent, weft.parallel}
      cpe.sync
      affine.for %c = 0 to 64 {
        affine.for %i = 1 to 2049 {
          %e = affine.load %t1[%c, %i - 1] : memref<64x2048xf32>
          %b0 = affine.load %b[%c] : memref<64xf32>
          %r = arith.addf %e, %b0 : f32
          affine.store %r, %bordered[%c, %i] : memref<64x2050xf32>
        } {weft.independent}
      } {weft.independent, weft.parallel}
      cpe.sync
      affine.for %c = 0 to 64 {
        affine.for %t = 0 to 1024 {
          %d0 = affine.load %bordered[%c, 2 * %t] : memref<64x2050xf32>
          %d1 = affine.load %bordered[%c, 2 * %t + 1] : memref<64x2050xf32>
          %d2 = affine.load %bordered[%c, 2 * %t + 2] : memref<64x2050xf32>
          %d3 = affine.load %bordered[%c, 2 * %t + 3] : memref<64x2050xf32>
          %v0 = arith.subf %d0, %d2 : f32
          %v1 = arith.addf %d1, %d2 : f32
          %v2 = arith.subf %d2, %d1 : f32
          %v3 = arith.subf %d1, %d3 : f32
          affine.store %v0, %v[0, %c, %t] : memref<4x64x1024xf32>
          affine.store %v1, %v[1, %c, %t] : memref<4x64x1024xf32>
          affine.store %v2, %v[2, %c, %t] : memref<4x64x1024xf32>
          affine.store %v3, %v[3, %c, %t] : memref<4x64x1024xf32>
        } {weft.independent}
      } {weft.independent, weft.parallel}
      cpe.sync
      affine.for %p = 0 to 4 {
        affine.for %k = 0 to 64 {
          affine.for %t = 0 to 1024 {
            %zero = arith.constant 0.0 : f32
            %s = affine.for %c = 0 to 64 iter_args(%sum = %zero) -> f32 {
              %f = affine.load %u[%p, %k, %c] : memref<4x64x64xf32>
              %g = affine.load %v[%p, %c, %t] : memref<4x64x1024xf32>
              %h = math.fma %f, %g, %sum : f32
              affine.yield %h : f32
            }
            affine.store %s, %m[%p, %k, %t] : memref<4x64x1024xf32>
          } {weft.independent, weft.shared_products}
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
      cpe.sync
      affine.for %k = 0 to 64 {
        affine.for %t = 0 to 1024 {
          %m0 = affine.load %m[0, %k, %t] : memref<4x64x1024xf32>
          %m1 = affine.load %m[1, %k, %t] : memref<4x64x1024xf32>
          %m2 = affine.load %m[2, %k, %t] : memref<4x64x1024xf32>
          %m3 = affine.load %m[3, %k, %t] : memref<4x64x1024xf32>
          %sum = arith.addf %m1, %m2 : f32
          %r0 = arith.addf %m0, %sum : f32
          %dif = arith.subf %m1, %m2 : f32
          %r1 = arith.subf %dif, %m3 : f32
          affine.store %r0, %y[%k, 2 * %t] : memref<64x2048xf32>
          affine.store %r1, %y[%k, 2 * %t + 1] : memref<64x2048xf32>
        } {weft.independent}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
