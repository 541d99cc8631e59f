// Of an elementwise nest, those two loops are shared out that leave the array where it is; around a
// loop over time nothing moves.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @permuted
// CHECK:         cpe.cores {
// CHECK:           %[[A:.*]] = cpe.spread : memref<8x8x512xf64>
// CHECK-NOT:       cpe.spread
// CHECK-NOT:       cpe.exchange
// CHECK:           affine.for %{{.*}} = 0 to 6 {
// CHECK-NEXT:        affine.for %[[R:.*]] = 0 to 8 {
// CHECK-NEXT:          affine.for %[[C:.*]] = 0 to 8 {
// CHECK-NEXT:            affine.for %{{.*}} = 0 to 32 {
// CHECK:                   affine.store %{{.*}}, %[[A]][%[[R]], %[[C]],
// CHECK-NOT:       cpe.exchange
module attributes {weft.target = #target} {
  func.func @permuted(%x: memref<32x32x32xf64>, %y: memref<32x32x32xf64>)
      attributes {weft.exchange = 1 : i64} { // no runs that a row of cores moves together
    %t = memref.alloc() : memref<32x32x32xf64>
    cpe.cores {
      affine.for %j = 0 to 32 {
        affine.for %k = 0 to 32 {
          %line = memref.alloca() : memref<32xf64>
          affine.for %i = 0 to 32 {
            %v = affine.load %x[%i, %j, %k] : memref<32x32x32xf64>
            affine.store %v, %line[%i] : memref<32xf64>
          }
          affine.for %i = 0 to 32 {
            %v = affine.load %line[31 - %i] : memref<32xf64>
            affine.store %v, %t[%i, %j, %k] : memref<32x32x32xf64>
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
      cpe.sync
      affine.for %time = 0 to 6 {
      affine.for %i = 0 to 32 {
        affine.for %j = 0 to 32 {
          affine.for %k = 0 to 32 {
            %v = affine.load %t[%i, %j, %k] : memref<32x32x32xf64>
            %w = arith.addf %v, %v : f64
            affine.store %w, %t[%i, %j, %k] : memref<32x32x32xf64>
          } {weft.independent}
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
        cpe.sync
      }
      affine.for %j = 0 to 32 {
        affine.for %k = 0 to 32 {
          %line = memref.alloca() : memref<32xf64>
          affine.for %i = 0 to 32 {
            %v = affine.load %t[%i, %j, %k] : memref<32x32x32xf64>
            affine.store %v, %line[%i] : memref<32xf64>
          }
          affine.for %i = 0 to 32 {
            %v = affine.load %line[31 - %i] : memref<32xf64>
            affine.store %v, %y[%i, %j, %k] : memref<32x32x32xf64>
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
