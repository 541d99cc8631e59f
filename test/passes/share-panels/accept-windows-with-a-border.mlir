// Images whose border of zeros is a copy of its own are fetched without it: whole rows, which the cores
// lay apart. Those of the first and of the last lines of an image lay fewer.
// RUN: cat %target_sw26010 %s | weft-opt - --share-panels --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @windows
// CHECK-NOT:     memref.alloc
// CHECK:         cpe.dma_get %arg0[%{{.*}}], %[[X:.*]] of[%{{.*}}, %{{.*}}] block {{[0-9]+}} counts
// CHECK:         affine.if
// CHECK:           affine.vector_load %[[X]]
// CHECK:         affine.if
// CHECK:           affine.vector_load %[[X]]
// CHECK:         cpe.broadcast
// CHECK:         cpe.dma_put
module attributes {weft.target = #target} {
  func.func @windows(%x: memref<2x16x16x18xf32>, %g: memref<32x16x3x3xf32>, %y: memref<2x32x16x18xf32>) {
    %bordered = memref.alloc() : memref<2x16x18x20xf32>
    cpe.cores {
      affine.for %n = 0 to 2 {
        affine.for %c = 0 to 16 {
          affine.for %i = 0 to 1 {
            affine.for %j = 0 to 20 {
              %zero = arith.constant 0.0 : f32
              affine.store %zero, %bordered[%n, %c, %i, %j] : memref<2x16x18x20xf32>
            } {weft.independent}
          } {weft.independent}
          affine.for %i = 17 to 18 {
            affine.for %j = 0 to 20 {
              %zero = arith.constant 0.0 : f32
              affine.store %zero, %bordered[%n, %c, %i, %j] : memref<2x16x18x20xf32>
            } {weft.independent}
          } {weft.independent}
          affine.for %i = 1 to 17 {
            affine.for %j = 0 to 1 {
              %zero = arith.constant 0.0 : f32
              affine.store %zero, %bordered[%n, %c, %i, %j] : memref<2x16x18x20xf32>
            } {weft.independent}
            affine.for %j = 19 to 20 {
              %zero = arith.constant 0.0 : f32
              affine.store %zero, %bordered[%n, %c, %i, %j] : memref<2x16x18x20xf32>
            } {weft.independent}
            affine.for %j = 1 to 19 {
              %e = affine.load %x[%n, %c, %i - 1, %j - 1] : memref<2x16x16x18xf32>
              affine.store %e, %bordered[%n, %c, %i, %j] : memref<2x16x18x20xf32>
            } {weft.independent}
          } {weft.independent}
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
      cpe.sync
      affine.for %n = 0 to 2 {
        affine.for %i = 0 to 16 {
          affine.for %k = 0 to 32 {
            affine.for %j = 0 to 18 {
              %zero = arith.constant 0.0 : f32
              %sum = affine.for %c = 0 to 16 iter_args(%p = %zero) -> f32 {
                %row = affine.for %r = 0 to 3 iter_args(%q = %p) -> f32 {
                  %tap = affine.for %s = 0 to 3 iter_args(%t = %q) -> f32 {
                    %a = affine.load %g[%k, %c, %r, %s] : memref<32x16x3x3xf32>
                    %b = affine.load %bordered[%n, %c, %i + %r, %j + %s] : memref<2x16x18x20xf32>
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
