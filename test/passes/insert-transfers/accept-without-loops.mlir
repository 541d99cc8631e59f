// Ops of a piece that are themselves loads and stores: the transfers stand around them.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-transfers --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @single
// CHECK:         affine.for
// CHECK:           cpe.dma_get %arg0
// CHECK-NEXT:      %[[Y:.*]] = memref.alloca()
// CHECK:           cpe.dma_wait
// CHECK-NEXT:      affine.load
// CHECK-NEXT:      affine.store
// CHECK-NEXT:      cpe.dma_put %[[Y]]
// CHECK-NEXT:      cpe.dma_wait
module attributes {weft.target = #target} {
  func.func @single(%x: memref<64x512xf64>, %y: memref<64x512xf64>) {
    cpe.cores {
      affine.for %i = 0 to 64 {
        %v = affine.load %x[%i, 3] : memref<64x512xf64>
        affine.store %v, %y[%i, 5] : memref<64x512xf64>
      } {weft.independent, weft.parallel}
    }
    return
  }
}
