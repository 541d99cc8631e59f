// RUN: weft-opt %s | weft-opt | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK:         cpe.cores {
// CHECK:           cpe.dma_get %{{.*}}[%{{.*}}], %{{.*}} block 4 counts [2, 3] strides [32, 8] : memref<8x8xf64>, memref<24xf64>
// CHECK-NEXT:      cpe.dma_wait
// CHECK-NEXT:      cpe.sync
// CHECK-NEXT:      cpe.dma_put %{{.*}}, %{{.*}}[%{{.*}}] block 24 counts [] strides [] : memref<24xf64>, memref<8x8xf64>
func.func @f(%x: memref<8x8xf64>, %y: memref<8x8xf64>, %at: index) {
  cpe.cores {
    %a = memref.alloca() : memref<24xf64>
    cpe.dma_get %x[%at], %a block 4 counts [2, 3] strides [32, 8] : memref<8x8xf64>, memref<24xf64>
    cpe.dma_wait
    cpe.sync
    cpe.dma_put %a, %y[%at] block 24 counts [] strides [] : memref<24xf64>, memref<8x8xf64>
    cpe.dma_wait
  }
  return
}
