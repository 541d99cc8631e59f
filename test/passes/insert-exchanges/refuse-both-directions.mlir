// Rows and columns cannot both change at once: the array stays in memory, and it is said why.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --remarks-filter=insert-exchanges 2>&1 | FileCheck %s

// CHECK:         stays with the cores, which exchange its parts
// CHECK-SAME:    do not become those of the next by exchanges within rows or within columns
// CHECK-LABEL: func.func @both
// CHECK:         memref.alloc()
// CHECK-NOT:     cpe.spread
// CHECK-NOT:     cpe.exchange
module attributes {weft.target = #target} {
  func.func @both(%x: memref<32x32x32xf64>, %y: memref<32x32x32xf64>)
      attributes {weft.exchange = 1 : i64} { // no runs that a row of cores moves together
    %t = memref.alloc() : memref<32x32x32xf64>
    cpe.cores {
      affine.for %i = 0 to 32 {
        affine.for %j = 0 to 32 {
          %line = memref.alloca() : memref<32xf64>
          affine.for %k = 0 to 32 {
            %v = affine.load %x[%i, %j, %k] : memref<32x32x32xf64>
            affine.store %v, %line[%k] : memref<32xf64>
          }
          affine.for %k = 0 to 32 {
            %v = affine.load %line[31 - %k] : memref<32xf64>
            affine.store %v, %t[%i, %j, %k] : memref<32x32x32xf64>
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
      cpe.sync
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
