// What the cores together have no room for keeps nothing else from staying: %s does, %t does not.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --remarks-filter=insert-exchanges 2>&1 | FileCheck %s

// CHECK:         memref<64x64x64xf64>: stays with the cores
// CHECK-SAME:    what would stay takes 65536 bytes of a core's memory, 27307 more than two thirds
// CHECK:         memref<32x32x32xf64>: stays with the cores
// CHECK-SAME:    each has 4096 bytes of it
// CHECK-LABEL: func.func @both
// CHECK:         cpe.spread
module attributes {weft.target = #target} {
  func.func @both(%x: memref<64x64x64xf64>, %y: memref<64x64x64xf64>,
                  %u: memref<32x32x32xf64>, %w: memref<32x32x32xf64>) {
    %t = memref.alloc() : memref<64x64x64xf64>
    %s = memref.alloc() : memref<32x32x32xf64>
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
      cpe.sync
      affine.for %i = 0 to 32 {
        affine.for %j = 0 to 32 {
          %line = memref.alloca() : memref<32xf64>
          affine.for %k = 0 to 32 {
            %v = affine.load %u[%i, %j, %k] : memref<32x32x32xf64>
            affine.store %v, %line[%k] : memref<32xf64>
          }
          affine.for %k = 0 to 32 {
            %v = affine.load %line[31 - %k] : memref<32xf64>
            affine.store %v, %s[%i, %j, %k] : memref<32x32x32xf64>
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
      cpe.sync
      affine.for %i = 0 to 32 {
        affine.for %k = 0 to 32 {
          %line = memref.alloca() : memref<32xf64>
          affine.for %j = 0 to 32 {
            %v = affine.load %s[%i, %j, %k] : memref<32x32x32xf64>
            affine.store %v, %line[%j] : memref<32xf64>
          }
          affine.for %j = 0 to 32 {
            %v = affine.load %line[31 - %j] : memref<32xf64>
            affine.store %v, %w[%i, %j, %k] : memref<32x32x32xf64>
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
