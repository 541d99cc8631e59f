// RUN: weft-opt %s | weft-opt | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK:         cpe.cores {
// CHECK:           cpe.dma_get %{{.*}}[%{{.*}}], %{{.*}} block 4 counts [2, 3] strides [32, 8] : memref<8x8xf64>, memref<24xf64>
// CHECK-NEXT:      cpe.dma_get %{{.*}}[%{{.*}}], %{{.*}}[%{{.*}}] block 4 counts [3] strides [8] pitches [6] : memref<8x8xf64>, memref<24xf64>
// CHECK-NEXT:      cpe.dma_wait
// CHECK-NEXT:      cpe.sync
// CHECK-NEXT:      cpe.dma_put %{{.*}}, %{{.*}}[%{{.*}}] block 24 counts [] strides [] : memref<24xf64>, memref<8x8xf64>
// CHECK-NEXT:      cpe.dma_get %{{.*}}[%{{.*}}], %{{.*}} block 12 counts [2] strides [12] in_parts : memref<8x8xf64>, memref<24xf64>
// CHECK-NEXT:      cpe.dma_wait part %{{.*}}
func.func @f(%x: memref<8x8xf64>, %y: memref<8x8xf64>, %at: index) {
  cpe.cores {
    %a = memref.alloca() : memref<24xf64>
    cpe.dma_get %x[%at], %a block 4 counts [2, 3] strides [32, 8] : memref<8x8xf64>, memref<24xf64>
    cpe.dma_get %x[%at], %a[%at] block 4 counts [3] strides [8] pitches [6] : memref<8x8xf64>, memref<24xf64>
    cpe.dma_wait
    cpe.sync
    cpe.dma_put %a, %y[%at] block 24 counts [] strides [] : memref<24xf64>, memref<8x8xf64>
    cpe.dma_get %x[%at], %a block 12 counts [2] strides [12] in_parts : memref<8x8xf64>, memref<24xf64>
    cpe.dma_wait part %at
    cpe.dma_wait
  }
  return
}

// CHECK-LABEL: func.func @exchange
// CHECK:         %[[A:.*]] = cpe.spread : memref<8x8x64xf64>
// CHECK-NEXT:    %[[B:.*]] = cpe.spread : memref<8x8x32x2xf64>
// CHECK-NEXT:    affine.for
// CHECK-NEXT:      cpe.sync
// CHECK-NEXT:      cpe.exchange %[[A]], %[[B]] along_rows block 4 counts [2] from 8 [4] to 4 [32] : memref<8x8x64xf64>, memref<8x8x32x2xf64>
// CHECK-NEXT:      cpe.exchange %[[B]], %[[A]] block 8 counts [] from 8 [] to 8 [] : memref<8x8x32x2xf64>, memref<8x8x64xf64>
func.func @exchange() {
  cpe.cores {
    %a = cpe.spread : memref<8x8x64xf64>
    %b = cpe.spread : memref<8x8x32x2xf64>
    affine.for %t = 0 to 3 {
      cpe.sync
      cpe.exchange %a, %b along_rows block 4 counts [2] from 8 [4] to 4 [32] : memref<8x8x64xf64>, memref<8x8x32x2xf64>
      cpe.exchange %b, %a block 8 counts [] from 8 [] to 8 [] : memref<8x8x32x2xf64>, memref<8x8x64xf64>
    }
  }
  return
}

// CHECK-LABEL: func.func @halo
// CHECK:         %[[U:.*]] = cpe.spread : memref<8x8x512xf64>
// CHECK-NEXT:    affine.for
// CHECK-NEXT:      cpe.halo %[[U]] rows 128 own 2 cores 64 columns 8 before 1 after 1 wraps block 128 counts [] strides [] : memref<8x8x512xf64>
// CHECK-NEXT:      cpe.halo %[[U]] rows 130 own 4 cores 42 columns 8 before 1 after 0 block 32 counts [2] strides [192] : memref<8x8x512xf64>
func.func @halo() {
  cpe.cores {
    %u = cpe.spread : memref<8x8x512xf64>
    affine.for %t = 0 to 3 {
      cpe.halo %u rows 128 own 2 cores 64 columns 8 before 1 after 1 wraps block 128 counts [] strides [] : memref<8x8x512xf64>
      cpe.halo %u rows 130 own 4 cores 42 columns 8 before 1 after 0 block 32 counts [2] strides [192] : memref<8x8x512xf64>
    }
  }
  return
}

// CHECK-LABEL: func.func @collect
// CHECK:         %[[PART:.*]] = cpe.spread : memref<8x8x16xf64>
// CHECK-NEXT:    %[[ALL:.*]] = memref.alloca() : memref<256xf64>
// CHECK-NEXT:    cpe.collect %[[PART]] first 8 elements 4 cores 61 columns 8, %[[ALL]] : memref<8x8x16xf64>, memref<256xf64>
func.func @collect() {
  cpe.cores {
    %part = cpe.spread : memref<8x8x16xf64>
    %all = memref.alloca() : memref<256xf64>
    cpe.collect %part first 8 elements 4 cores 61 columns 8, %all : memref<8x8x16xf64>, memref<256xf64>
  }
  return
}

// CHECK-LABEL: func.func @broadcast
// CHECK:         %[[A:.*]] = cpe.spread : memref<8x8x64xf64>
// CHECK-NEXT:    %[[B:.*]] = cpe.spread : memref<8x8x32x2xf64>
// CHECK-NEXT:    affine.for %[[S:.*]] = 0 to 8
// CHECK-NEXT:      cpe.broadcast %[[A]] from %[[S]], %[[B]] along_rows : memref<8x8x64xf64>, memref<8x8x32x2xf64>
// CHECK-NEXT:      cpe.broadcast %[[B]] from %[[S]], %[[A]] : memref<8x8x32x2xf64>, memref<8x8x64xf64>
func.func @broadcast() {
  cpe.cores {
    %a = cpe.spread : memref<8x8x64xf64>
    %b = cpe.spread : memref<8x8x32x2xf64>
    affine.for %s = 0 to 8 {
      cpe.broadcast %a from %s, %b along_rows : memref<8x8x64xf64>, memref<8x8x32x2xf64>
      cpe.broadcast %b from %s, %a : memref<8x8x32x2xf64>, memref<8x8x64xf64>
    }
  }
  return
}
