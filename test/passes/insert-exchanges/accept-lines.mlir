// Lines along one dimension after another: an array that only the cores see stays with them, and
// goes over to other cores within rows, then within columns.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @lines
// CHECK-NOT:     memref.alloc()
// CHECK:         cpe.cores {
// CHECK-DAG:       %[[A:.*]] = cpe.spread : memref<8x8x512xf64>
// CHECK-DAG:       %[[B:.*]] = cpe.spread : memref<8x8x512xf64>
// CHECK:           affine.for %[[R:.*]] = 0 to 8 {
// CHECK-NEXT:        affine.for %[[C:.*]] = 0 to 8 {
// CHECK:               affine.load %arg0
// CHECK:               affine.store %{{.*}}, %[[TO:.*]][%[[R]], %[[C]], %{{.*}} * 128 + %{{.*}} * 32 + %{{.*}}]
// CHECK:           cpe.sync
// CHECK-NEXT:      cpe.exchange %[[TO]], %[[NEXT:.*]] along_rows block 4 counts [4, 4] from 4 [128, 32] to 16 [128, 4]
// CHECK:               affine.load %[[NEXT]]
// CHECK:               affine.store %{{.*}}, %[[NEXT]]
// CHECK:           cpe.exchange %[[NEXT]], %[[LAST:.*]] block 16 counts [4] from 16 [128] to 64 [16]
// CHECK:               affine.load %[[LAST]]
// CHECK:               affine.store %{{.*}}, %arg1
module attributes {weft.target = #target} {
  func.func @lines(%x: memref<32x32x32xf64>, %y: memref<32x32x32xf64>)
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
      affine.for %i = 0 to 32 {
        affine.for %k = 0 to 32 {
          %line = memref.alloca() : memref<32xf64>
          affine.for %j = 0 to 32 {
            %v = affine.load %t[%i, %j, %k] : memref<32x32x32xf64>
            affine.store %v, %line[%j] : memref<32xf64>
          }
          affine.for %j = 0 to 32 {
            %v = affine.load %line[31 - %j] : memref<32xf64>
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
