// What the cores together have no room for stays in memory: two forms of 32 KB.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --remarks-filter=insert-exchanges 2>&1 | FileCheck %s

// CHECK:         stays with the cores
// CHECK-SAME:    what would stay takes 65536 bytes of a core's memory, 27307 more than two thirds
// CHECK-LABEL: func.func @large
// CHECK-NOT:     cpe.spread
module attributes {weft.target = #target} {
  func.func @large(%x: memref<64x64x64xf64>, %y: memref<64x64x64xf64>) {
    %t = memref.alloc() : memref<64x64x64xf64>
    cpe.cores {
      affine.for %i = 0 to 64 {
        affine.for %j = 0 to 64 {
          %line = memref.alloca() : memref<64xf64>
          affine.for %k = 0 to 64 {
            %v = affine.load %x[%i, %j, %k] : memref<64x64x64xf64>
            affine.store %v, %line[%k] : memref<64xf64>
          }
          affine.for %k = 0 to 64 {
            %v = affine.load %line[63 - %k] : memref<64xf64>
            affine.store %v, %t[%i, %j, %k] : memref<64x64x64xf64>
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
      cpe.sync
      affine.for %i = 0 to 64 {
        affine.for %k = 0 to 64 {
          %line = memref.alloca() : memref<64xf64>
          affine.for %j = 0 to 64 {
            %v = affine.load %t[%i, %j, %k] : memref<64x64x64xf64>
            affine.store %v, %line[%j] : memref<64xf64>
          }
          affine.for %j = 0 to 64 {
            %v = affine.load %line[63 - %j] : memref<64xf64>
            affine.store %v, %y[%i, %j, %k] : memref<64x64x64xf64>
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
