// Where an array is written anew, what it was needs no memory: %a and %b take turns in two layouts
// each, of which two, 16 KB each, are needed at a time.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --remarks-filter=insert-exchanges 2>&1 | FileCheck %s

// CHECK-NOT:     what would stay takes
// CHECK-COUNT-2: stays with the cores", Why="each has 16384 bytes of it"
// CHECK-LABEL: func.func @turns
module attributes {weft.target = #target} {
  func.func @turns(%x: memref<32x64x64xf64>, %y: memref<32x64x64xf64>) {
    %a = memref.alloc() : memref<32x64x64xf64>
    %b = memref.alloc() : memref<32x64x64xf64>
    cpe.cores {
      affine.for %i = 0 to 32 {
        affine.for %j = 0 to 64 {
          %line = memref.alloca() : memref<64xf64>
          affine.for %k = 0 to 64 {
            %e = affine.load %x[%i, %j, %k] : memref<32x64x64xf64>
            affine.store %e, %line[%k] : memref<64xf64>
          }
          affine.for %k = 0 to 64 {
            %e = affine.load %line[63 - %k] : memref<64xf64>
            affine.store %e, %a[%i, %j, %k] : memref<32x64x64xf64>
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
      cpe.sync
      affine.for %i = 0 to 32 {
        affine.for %j = 0 to 64 {
          %line = memref.alloca() : memref<64xf64>
          affine.for %k = 0 to 64 {
            %e = affine.load %a[%i, %j, %k] : memref<32x64x64xf64>
            affine.store %e, %line[%k] : memref<64xf64>
          }
          affine.for %k = 0 to 64 {
            %e = affine.load %line[63 - %k] : memref<64xf64>
            affine.store %e, %b[%i, %j, %k] : memref<32x64x64xf64>
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
      cpe.sync
      affine.for %i = 0 to 32 {
        affine.for %k = 0 to 64 {
          %line = memref.alloca() : memref<64xf64>
          affine.for %j = 0 to 64 {
            %e = affine.load %b[%i, %j, %k] : memref<32x64x64xf64>
            affine.store %e, %line[%j] : memref<64xf64>
          }
          affine.for %j = 0 to 64 {
            %e = affine.load %line[63 - %j] : memref<64xf64>
            affine.store %e, %a[%i, %j, %k] : memref<32x64x64xf64>
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
      cpe.sync
      affine.for %i = 0 to 32 {
        affine.for %k = 0 to 64 {
          %line = memref.alloca() : memref<64xf64>
          affine.for %j = 0 to 64 {
            %e = affine.load %a[%i, %j, %k] : memref<32x64x64xf64>
            affine.store %e, %line[%j] : memref<64xf64>
          }
          affine.for %j = 0 to 64 {
            %e = affine.load %line[63 - %j] : memref<64xf64>
            affine.store %e, %y[%i, %j, %k] : memref<32x64x64xf64>
          }
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
