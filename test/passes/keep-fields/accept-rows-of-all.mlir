// A vector of which every core reads all: its rows are collected where they have changed, and a core's rows of the
// matrix come once. What lies side by side along the inner loop becomes lanes in place of the few rows of a core.
// RUN: cat %target_sw26010 %s | weft-opt - --keep-fields --canonicalize --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @matrix
// CHECK:         cpe.cores {
// CHECK-DAG:       %[[A:.*]] = cpe.spread : memref<8x8x1024xf64>
// CHECK-DAG:       %[[V:.*]] = cpe.spread : memref<8x8x4xf64>
// CHECK-DAG:       %[[ALL:.*]] = memref.alloca() : memref<256xf64>
// CHECK:           cpe.dma_get %arg0
// CHECK:           affine.for %{{.*}} = 0 to 20 {
// CHECK-NOT:         cpe.dma_get
// CHECK:             cpe.collect %[[V]] first 0 elements 4 cores 64 columns 8, %[[ALL]]
// CHECK:             affine.for %{{.*}} = 0 to 4 {
// CHECK:               affine.for %[[J:.*]] = 0 to 256 iter_args
// CHECK:                 affine.load %[[ALL]][%[[J]]]
// CHECK:               } {weft.lane, weft.reassociate}
// CHECK:             }
// CHECK-NOT:         cpe.collect
// CHECK:             weft.ring
// CHECK-NOT:         cpe.dma_put
// CHECK:           cpe.dma_put
module attributes {weft.target = #target} {
  func.func @matrix(%a: memref<256x256xf64>, %v: memref<256xf64>) {
    %zero = arith.constant 0.0 : f64
    %w = memref.alloc() : memref<256xf64>
    affine.for %t = 0 to 20 {
      affine.for %i = 0 to 256 {
        %sum = affine.for %j = 0 to 256 iter_args(%so_far = %zero) -> (f64) {
          %p = affine.load %a[%i, %j] : memref<256x256xf64>
          %q = affine.load %v[%j] : memref<256xf64>
          %r = arith.mulf %p, %q : f64
          %s = arith.addf %so_far, %r : f64
          affine.yield %s : f64
        }
        %b = affine.load %v[%i] : memref<256xf64>
        %c = arith.addf %b, %sum : f64
        affine.store %c, %w[%i] : memref<256xf64>
      } {weft.independent, weft.lane}
      affine.for %i = 0 to 256 {
        %b = affine.load %w[%i] : memref<256xf64>
        %c = arith.mulf %b, %b : f64
        affine.store %c, %v[%i] : memref<256xf64>
      } {weft.independent, weft.lane}
    }
    return
  }
}
