// A loop longer than the LDM is done in pieces; what is only written is not fetched, and lies where
// what it is made of lay; a small input that is only read comes once.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-transfers --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @scale
// CHECK:         cpe.cores {
// CHECK:           %[[A:.*]] = memref.alloca() : memref<f64>
// CHECK:           cpe.dma_get %arg0[%{{.*}}], %[[A]] block 1 counts [] strides [] for_all
// CHECK-NEXT:      cpe.dma_wait
// CHECK-NEXT:      cpe.sync
// CHECK-NEXT:      affine.for %[[AT:.*]] = 0 to {{[0-9]+}} step [[N:[0-9]+]] {
// CHECK-NEXT:        %[[X:.*]] = memref.alloca() : memref<[[N]]xf64>
// CHECK-NEXT:        cpe.dma_get %arg1[%[[AT]]], %[[X]] block [[N]] counts [] strides []
// CHECK-NEXT:        cpe.dma_wait
// CHECK-NEXT:        affine.for %{{.*}} = 0 to [[N]] {
// CHECK:             cpe.dma_put %[[X]], %arg2[%[[AT]]] block [[N]] counts [] strides []
// CHECK-NEXT:        cpe.dma_wait
// CHECK-NEXT:      } {weft.independent, weft.parallel}
module attributes {weft.target = #target} {
  func.func @scale(%a: memref<f64>, %x: memref<1048576xf64>, %y: memref<1048576xf64>) {
    cpe.cores {
      affine.for %i = 0 to 1048576 {
        %s = affine.load %a[] : memref<f64>
        %v = affine.load %x[%i] : memref<1048576xf64>
        %w = arith.mulf %s, %v : f64
        affine.store %w, %y[%i] : memref<1048576xf64>
      } {weft.independent, weft.lane, weft.parallel}
    }
    return
  }
}
