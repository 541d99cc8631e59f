// A sum over rows is one over the cores, each of which adds its own rows; the number that the loop
// carries lies with each of them, and is stored once behind the loop.
// RUN: cat %target_sw26010 %s | weft-opt - --keep-fields --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @sums
// CHECK:         %[[U:.*]] = cpe.spread : memref<8x8x16xf64>
// CHECK:         %[[R:.*]] = memref.alloca() : memref<1xf64>
// CHECK:         cpe.dma_get %{{.*}}[%{{.*}}], %[[R]]
// CHECK:         affine.for %{{.*}} = 0 to 10 {
// CHECK:           %[[S:.*]] = affine.for %[[P:.*]] = 0 to 64 iter_args(%[[A:.*]] = %{{.*}}) -> (f64) {
// CHECK-NEXT:        %[[OWN:.*]] = affine.for %{{.*}} = 0 to 1 iter_args(%{{.*}} = %[[A]]) -> (f64) {
// CHECK:             affine.yield %[[OWN]] : f64
// CHECK-NEXT:      } {weft.parallel, weft.ring = 8 : i64, weft.sums}
// CHECK:           affine.load %[[R]][0]
// CHECK:           affine.store %{{.*}}, %[[R]][0]
// CHECK:         cpe.dma_put %[[U]]
// CHECK:         affine.load %[[R]][0]
// CHECK-NEXT:    affine.store
module attributes {weft.target = #target} {
  func.func @sums(%u: memref<64x16xf64>, %out: memref<1xf64>) {
    %zero = arith.constant 0.0 : f64
    %number = memref.alloc() : memref<1xf64>
    affine.store %zero, %number[0] : memref<1xf64>
    affine.for %t = 0 to 10 {
      affine.for %i = 0 to 64 {
        affine.for %j = 0 to 16 {
          %a = affine.load %u[%i, %j] : memref<64x16xf64>
          %s = arith.addf %a, %a : f64
          affine.store %s, %u[%i, %j] : memref<64x16xf64>
        } {weft.independent, weft.lane}
      } {weft.independent}
      %sum = affine.for %i = 0 to 64 iter_args(%all = %zero) -> f64 {
        %row = affine.for %j = 0 to 16 iter_args(%so_far = %all) -> f64 {
          %a = affine.load %u[%i, %j] : memref<64x16xf64>
          %next = arith.addf %so_far, %a : f64
          affine.yield %next : f64
        }
        affine.yield %row : f64
      }
      %before = affine.load %number[0] : memref<1xf64>
      %more = arith.addf %before, %sum : f64
      affine.store %more, %number[0] : memref<1xf64>
    }
    %last = affine.load %number[0] : memref<1xf64>
    affine.store %last, %out[0] : memref<1xf64>
    return
  }
}
