// A core has one of the parts of a point's place, and so the loop over them says nothing: that the
// place is then divided by the height of a plane, as what groups of cores send each other lies in
// memory, mixes no loops inside and outside of the nest, and a row moves runs together.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @rounds
// CHECK:         affine.for %[[ROUND:.*]] = 0 to 128 step 32 {
// CHECK:           cpe.dma_get %{{.*}}[%{{.*}}], %[[GOT:.*]] of[%{{.*}}, %{{.*}}] block 32 counts [4] strides [1024]
// CHECK:           cpe.exchange %[[GOT]], %[[IN:.*]] along_rows block 4 counts [4] from 4 [32] to 16 [4]
// CHECK:           affine.load %[[IN]]
module attributes {weft.target = #target} {
  func.func @rounds(%x: memref<32x8x128xf64>, %y: memref<256x128xf64>) {
    %t = memref.alloc() : memref<256x32xf64>
    cpe.cores {
      affine.for %i = 0 to 128 step 32 {
        affine.for %c = 0 to 8 {
          affine.for %q = 0 to 1 {
            affine.for %l = 0 to 32 {
              affine.for %j = 0 to 32 {
                %v = affine.load %x[%j + (%q * 8 + %c) floordiv 8, (%q * 8 + %c) mod 8, %i + %l] : memref<32x8x128xf64>
                affine.store %v, %t[%c * 32 + %j, %l] : memref<256x32xf64>
              }
            } {weft.independent}
          } {weft.independent}
        } {weft.independent, weft.parallel}
        cpe.sync
        affine.for %c = 0 to 8 {
          affine.for %l = 0 to 32 {
            affine.for %j = 0 to 32 {
              %v = affine.load %t[%j * 8 + %c, %l] : memref<256x32xf64>
              affine.store %v, %y[%j * 8 + %c, %i + %l] : memref<256x128xf64>
            }
          } {weft.independent}
        } {weft.independent, weft.parallel}
        cpe.sync
      } {weft.in_turn}
    }
    return
  }
}
