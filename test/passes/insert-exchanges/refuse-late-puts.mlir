// A put stays where it is while a nest behind it reads what is put, and where it is the last one.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --canonicalize --remarks-filter=insert-exchanges --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not="end of the round"

// CHECK:       cpe.cores {
// CHECK:           cpe.dma_put {{.*}}, %arg2[
// CHECK:           cpe.dma_get %arg2
// CHECK:           cpe.dma_put {{.*}}, %arg1[
// CHECK:         } {weft.in_turn}
module attributes {weft.target = #target} {
  func.func @rounds(%x: memref<1024x128xf64>, %y: memref<1024x128xf64>, %w: memref<1024x128xf64>) {
    %t = memref.alloc() : memref<1024x32xf64>
    cpe.cores {
      affine.for %i = 0 to 128 step 32 {
        affine.for %c = 0 to 8 {
          affine.for %q = 0 to 4 {
            affine.for %l = 0 to 32 {
              affine.for %j = 0 to 32 {
                %v = affine.load %x[%j * 32 + %q * 8 + %c, %i + %l] : memref<1024x128xf64>
                affine.store %v, %t[%q * 256 + %c * 32 + %j, %l] : memref<1024x32xf64>
                affine.store %v, %w[%j * 32 + %q * 8 + %c, %i + %l] : memref<1024x128xf64>
              }
            } {weft.independent}
          } {weft.independent}
        } {weft.independent, weft.parallel}
        cpe.sync
        affine.for %c = 0 to 8 {
          affine.for %q = 0 to 4 {
            affine.for %l = 0 to 32 {
              affine.for %j = 0 to 32 {
                %v = affine.load %t[%j * 32 + %q * 8 + %c, %l] : memref<1024x32xf64>
                %u = affine.load %w[%j * 32 + %q * 8 + %c, %i + %l] : memref<1024x128xf64>
                %s = arith.addf %u, %v : f64
                affine.store %s, %y[%j * 32 + %q * 8 + %c, %i + %l] : memref<1024x128xf64>
              }
            } {weft.independent}
          } {weft.independent}
        } {weft.independent, weft.parallel}
        cpe.sync
      } {weft.in_turn}
    }
    return
  }
}
