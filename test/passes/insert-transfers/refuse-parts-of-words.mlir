// Transfers move words of 4 bytes: rows of truth values that are none stay where they are, and those
// that are come.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-transfers --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @odd_rows
// CHECK-NOT:     cpe.dma
// CHECK-LABEL: func.func @whole_words
// CHECK:         cpe.dma_get %arg0
// CHECK:         cpe.dma_put {{.*}}, %arg1
module attributes {weft.target = #target} {
  func.func @odd_rows(%x: memref<64x101xi1>, %y: memref<64x101xi1>) {
    cpe.cores {
      affine.for %i = 0 to 64 {
        affine.for %j = 0 to 101 {
          %a = affine.load %x[%i, %j] : memref<64x101xi1>
          affine.store %a, %y[%i, %j] : memref<64x101xi1>
        } {weft.independent}
      } {weft.independent, weft.parallel}
    }
    return
  }
  func.func @whole_words(%x: memref<64x104xi1>, %y: memref<64x104xi1>) {
    cpe.cores {
      affine.for %i = 0 to 64 {
        affine.for %j = 0 to 104 {
          %a = affine.load %x[%i, %j] : memref<64x104xi1>
          affine.store %a, %y[%i, %j] : memref<64x104xi1>
        } {weft.independent}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
