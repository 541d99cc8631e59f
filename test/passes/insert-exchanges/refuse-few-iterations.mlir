// Loops without a multiple of eight iterations are not shared out over rows and columns.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --remarks-filter=insert-exchanges 2>&1 | FileCheck %s

// CHECK:         a nest that uses it has no two loops over 8 rows and 8 columns
// CHECK-LABEL: func.func @few
// CHECK-NOT:     cpe.spread
module attributes {weft.target = #target} {
  func.func @few(%x: memref<12x32x32xf64>, %y: memref<12x32x32xf64>) {
    %t = memref.alloc() : memref<12x32x32xf64>
    cpe.cores {
      affine.for %i = 0 to 12 {
        affine.for %j = 0 to 32 {
          %line = memref.alloca() : memref<32xf64>
          affine.for %k = 0 to 32 {
            %v = affine.load %x[%i, %j, %k] : memref<12x32x32xf64>
            affine.store %v, %line[%k] : memref<32xf64>
          }
          affine.for %k = 0 to 32 {
            %v = affine.load %line[31 - %k] : memref<32xf64>
            affine.store %v, %t[%i, %j, %k] : memref<12x32x32xf64>
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
      cpe.sync
      affine.for %i = 0 to 12 {
        affine.for %k = 0 to 32 {
          %line = memref.alloca() : memref<32xf64>
          affine.for %j = 0 to 32 {
            %v = affine.load %t[%i, %j, %k] : memref<12x32x32xf64>
            affine.store %v, %line[%j] : memref<32xf64>
          }
          affine.for %j = 0 to 32 {
            %v = affine.load %line[31 - %j] : memref<32xf64>
            affine.store %v, %y[%i, %j, %k] : memref<12x32x32xf64>
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
