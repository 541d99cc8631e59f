// Where an input and a result have room beside each other, no result lies in the memory of an input:
// loads of the next line need not wait for stores of this one.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-transfers --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @lines
// CHECK:         affine.for %{{.*}} = 0 to 512 step 8 {
// CHECK:           %[[X:.*]] = memref.alloca() : memref<1024xf64>
// CHECK:           cpe.dma_get %arg0[%{{.*}}], %[[X]]
// CHECK:           %[[Y:.*]] = memref.alloca() : memref<1024xf64>
// CHECK:           cpe.dma_put %[[Y]], %arg1
module attributes {weft.target = #target} {
  func.func @lines(%x: memref<512x128xf64>, %y: memref<512x128xf64>) {
    cpe.cores {
      affine.for %j = 0 to 512 {
        %s = memref.alloca() : memref<128xf64>
        affine.for %i = 0 to 128 {
          %v = affine.load %x[%j, %i] : memref<512x128xf64>
          affine.store %v, %s[%i] : memref<128xf64>
        }
        affine.for %i = 0 to 128 {
          %v = affine.load %s[-%i + 127] : memref<128xf64>
          affine.store %v, %y[%j, %i] : memref<512x128xf64>
        }
      } {weft.independent, weft.parallel}
    }
    return
  }
}
