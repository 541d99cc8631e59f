// Fewer rows than a vector has lanes, and fewer terms than there are cores: each core works for itself.
// RUN: cat %target_sw26010 %s | weft-opt - --share-panels --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s

// CHECK: rejected {{.*}}its products by all cores together", Why="3 rows and 5 columns: a core's block has 4 of each at least"
// CHECK-NOT: cpe.spread
module attributes {weft.target = #target} {
  func.func @product(%a: memref<30x3xf64>, %b: memref<30x5xf64>, %c: memref<3x5xf64>) {
    cpe.cores {
      affine.for %i = 0 to 3 {
        affine.for %j = 0 to 5 {
          %zero = arith.constant 0.0 : f64
          %s = affine.for %k = 0 to 30 iter_args(%t = %zero) -> f64 {
            %x = affine.load %a[%k, %i] : memref<30x3xf64>
            %y = affine.load %b[%k, %j] : memref<30x5xf64>
            %u = math.fma %x, %y, %t : f64
            affine.yield %u : f64
          }
          affine.store %s, %c[%i, %j] : memref<3x5xf64>
        } {weft.independent, weft.shared_products}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
