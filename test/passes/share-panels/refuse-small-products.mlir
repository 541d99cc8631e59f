// Small products, more than there are cores: each core has whole ones of them, many at a time, as of
// any nest. Larger ones are shared in blocks (`accept-batch.mlir`).
// RUN: cat %target_sw26010 %s | weft-opt - --share-panels --canonicalize | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --share-panels --remarks-filter=.* --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// WHY: rejected {{.*}}its products by all cores together{{.*}}where each core has whole ones of 1001 products by itself
// CHECK-LABEL: func.func @products
// CHECK-NOT:     cpe.spread
// CHECK:         affine.for %{{.*}} = 0 to 1001 {
// CHECK:           affine.for %{{.*}} = 0 to 5 iter_args
module attributes {weft.target = #target} {
  func.func @products(%a: memref<1001x7x5xf64>, %b: memref<1001x5x9xf64>, %c: memref<1001x7x9xf64>) {
    cpe.cores {
      affine.for %n = 0 to 1001 {
        affine.for %i = 0 to 7 {
          affine.for %j = 0 to 9 {
            %zero = arith.constant 0.0 : f64
            %s = affine.for %k = 0 to 5 iter_args(%t = %zero) -> f64 {
              %x = affine.load %a[%n, %i, %k] : memref<1001x7x5xf64>
              %y = affine.load %b[%n, %k, %j] : memref<1001x5x9xf64>
              %u = math.fma %x, %y, %t : f64
              affine.yield %u : f64
            }
            affine.store %s, %c[%n, %i, %j] : memref<1001x7x9xf64>
          } {weft.independent, weft.shared_products}
        } {weft.independent}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
