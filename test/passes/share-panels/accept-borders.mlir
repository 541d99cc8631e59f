// Extents that blocks do not divide: blocks overlap, and those that do write in turn. What panels
// leave of the reduced index, every core fetches for itself. A left factor with its rows side by side
// comes as it lies.
// RUN: cat %target_sw26010 %s | weft-opt - --share-panels --canonicalize | FileCheck %s

// CHECK-DAG:   #[[$SET:.*]] = affine_set<({{.*}}) : ({{.*}} mod 2 - {{.*}} == 0, {{.*}} mod 2 - {{.*}} == 0)>
// CHECK-LABEL: func.func @borders
// CHECK:         %[[C:.*]] = cpe.spread
// CHECK:         cpe.broadcast {{.*}} along_rows
// CHECK:         cpe.dma_get %arg0[%{{.*}}], %[[REST:.*]] of[%{{.*}}, %{{.*}}] block 16 counts [{{[1-7]}}] strides [100]
// CHECK:         cpe.dma_wait
// CHECK-NOT:     cpe.broadcast
// CHECK:         affine.load %[[REST]]
// CHECK:         affine.for %{{.*}} = 0 to 2 {
// CHECK-NEXT:      affine.for %{{.*}} = 0 to 2 {
// CHECK:             affine.if #[[$SET]]
// CHECK:             cpe.dma_wait
// CHECK-NEXT:        cpe.sync
module attributes {weft.target = #target} {
  func.func @borders(%a: memref<83x100xf64>, %b: memref<83x101xf64>, %c: memref<100x101xf64>) {
    cpe.cores {
      affine.for %i = 0 to 100 {
        affine.for %j = 0 to 101 {
          %zero = arith.constant 0.0 : f64
          %s = affine.for %k = 0 to 83 iter_args(%t = %zero) -> f64 {
            %x = affine.load %a[%k, %i] : memref<83x100xf64>
            %y = affine.load %b[%k, %j] : memref<83x101xf64>
            %u = math.fma %x, %y, %t : f64
            affine.yield %u : f64
          }
          affine.store %s, %c[%i, %j] : memref<100x101xf64>
        } {weft.independent, weft.shared_products}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
