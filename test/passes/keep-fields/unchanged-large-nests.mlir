// Sums over rows that make more elements than each core has as numbers stay as they are, written out or not.
// RUN: cat %target_sw26010 %s | weft-opt - --keep-fields --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @gradient
// CHECK-NOT:     cpe.cores
// CHECK:         affine.for %{{.*}} = 0 to 96 {
// CHECK-NEXT:      affine.for %{{.*}} = 0 to 640 iter_args
module attributes {weft.target = #target} {
  func.func @gradient(%x: memref<640x96xf64>, %w: memref<96xf64>) {
    %zero = arith.constant 0.0 : f64
    %e = memref.alloc() : memref<640xf64>
    affine.for %t = 0 to 20 {
      affine.for %i = 0 to 640 {
        %p = affine.load %x[%i, 0] : memref<640x96xf64>
        affine.store %p, %e[%i] : memref<640xf64>
      } {weft.independent}
      affine.for %k = 0 to 96 {
        %sum = affine.for %i = 0 to 640 iter_args(%so_far = %zero) -> (f64) {
          %p = affine.load %x[%i, %k] : memref<640x96xf64>
          %q = affine.load %e[%i] : memref<640xf64>
          %r = math.fma %p, %q, %so_far : f64
          affine.yield %r : f64
        }
        affine.store %sum, %w[%k] : memref<96xf64>
      } {weft.independent, weft.lane}
    }
    return
  }
}
