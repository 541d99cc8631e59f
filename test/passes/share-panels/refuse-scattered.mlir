// Transfers follow runs: columns that lie apart stay as they are.
// RUN: cat %target_sw26010 %s | weft-opt - --share-panels --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s

// CHECK:       columns do not lie side by side in memory
// CHECK-LABEL: func.func @apart
// CHECK-NOT:     cpe.spread
// CHECK:         affine.load %arg0
// CHECK-NOT:     weft.shared_products
module attributes {weft.target = #target} {
  func.func @apart(%a: memref<64x64xf64>, %b: memref<64x64xf64>, %c: memref<64x64xf64>) {
    cpe.cores {
      affine.for %i = 0 to 64 {
        affine.for %j = 0 to 64 {
          %zero = arith.constant 0.0 : f64
          %s = affine.for %k = 0 to 64 iter_args(%t = %zero) -> f64 {
            %x = affine.load %a[%i, %k] : memref<64x64xf64>
            %y = affine.load %b[%j, %k] : memref<64x64xf64>
            %u = math.fma %x, %y, %t : f64
            affine.yield %u : f64
          }
          affine.store %s, %c[%i, %j] : memref<64x64xf64>
        } {weft.independent, weft.shared_products}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
