// A nest without the mark, and one on a target that is no mesh of cores.
// RUN: cat %target_sw26010 %s | weft-opt - --share-panels | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --share-panels | FileCheck %s

// CHECK-LABEL: func.func @product
// CHECK-NEXT:    cpe.cores {
// CHECK-NEXT:      affine.for
// CHECK-NEXT:        affine.for
// CHECK-NOT:     cpe.spread
// CHECK:         affine.store
module attributes {weft.target = #target} {
  func.func @product(%a: memref<64x64xf64>, %b: memref<64x64xf64>, %c: memref<64x64xf64>) {
    cpe.cores {
      affine.for %i = 0 to 64 {
        affine.for %j = 0 to 64 {
          %zero = arith.constant 0.0 : f64
          %s = affine.for %k = 0 to 64 iter_args(%t = %zero) -> f64 {
            %x = affine.load %a[%i, %k] : memref<64x64xf64>
            %y = affine.load %b[%k, %j] : memref<64x64xf64>
            %u = math.fma %x, %y, %t : f64
            affine.yield %u : f64
          }
          affine.store %s, %c[%i, %j] : memref<64x64xf64>
        } {weft.independent}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
