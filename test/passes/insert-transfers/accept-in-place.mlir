// Lines that pass through an array of their own: a result is written when its line has been read, and
// lies where that lay, so that all of a core's eight lines are one piece. The next parts of the
// input are still on their way then.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-transfers --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @lines
// CHECK:         affine.for %{{.*}} = 0 to 512 step 8 {
// CHECK-NEXT:      %[[X:.*]] = memref.alloca() : memref<4096xf64>
// CHECK:           cpe.dma_get %arg0[%{{.*}}], %[[X]] block 1024 counts [4] strides [1024] in_parts
// CHECK-NOT:       memref.alloca() : memref<4096xf64>
// CHECK:           affine.for %[[J:.*]] = 0 to 8 step 2 {
// CHECK:             cpe.dma_wait part
// CHECK:             %[[S:.*]] = memref.alloca() : memref<512xf64>
// CHECK:             affine.load %[[X]][{{.*}}%[[J]] * 512
// CHECK:             affine.store %{{.*}}, %[[S]]
// CHECK:             affine.load %[[S]]
// CHECK:             affine.store %{{.*}}, %[[X]][{{.*}}%[[J]] * 512
// CHECK:           cpe.dma_put %[[X]], %arg1[%{{.*}}] block 4096
// CHECK-NEXT:      cpe.dma_wait{{$}}

// Rows that lie apart in memory: the same bytes of a piece, wherever they come from.
// CHECK-LABEL: func.func @rows_apart
// CHECK:         %[[X:.*]] = memref.alloca() : memref<[[N:[0-9]+]]xf64>
// CHECK:         cpe.dma_get %arg0[%{{.*}}], %[[X]] block 512 counts [4, 2] strides [2048, 1024]
// CHECK-NOT:     memref.alloca() : memref<[[N]]xf64>
// CHECK:         cpe.dma_put %[[X]], %arg1[%{{.*}}] block 4096 counts []

// Two results take the memories of two inputs, one each.
// CHECK-LABEL: func.func @two_of_each
// CHECK:         %[[A:.*]] = memref.alloca() : memref<[[N:[0-9]+]]xf64>
// CHECK:         cpe.dma_get %arg0[%{{.*}}], %[[A]]
// CHECK:         %[[B:.*]] = memref.alloca() : memref<[[N]]xf64>
// CHECK:         cpe.dma_get %arg1[%{{.*}}], %[[B]]
// CHECK-NOT:     memref.alloca() : memref<[[N]]xf64>
// CHECK:         affine.store %{{.*}}, %[[A]]
// CHECK:         affine.store %{{.*}}, %[[B]]
// CHECK-DAG:     cpe.dma_put %[[A]], %arg2
// CHECK-DAG:     cpe.dma_put %[[B]], %arg3
module attributes {weft.target = #target} {
  func.func @lines(%x: memref<512x512xf64>, %y: memref<512x512xf64>) {
    cpe.cores {
      affine.for %j = 0 to 512 {
        %s = memref.alloca() : memref<512xf64>
        affine.for %i = 0 to 512 {
          %v = affine.load %x[%j, %i] : memref<512x512xf64>
          %w = arith.addf %v, %v : f64
          affine.store %w, %s[%i] : memref<512xf64>
        }
        affine.for %i = 0 to 512 {
          %v = affine.load %s[-%i + 511] : memref<512xf64>
          affine.store %v, %y[%j, %i] : memref<512x512xf64>
        }
      } {weft.independent, weft.parallel}
    }
    return
  }
  func.func @rows_apart(%x: memref<512x2x512xf64>, %y: memref<512x512xf64>) {
    cpe.cores {
      affine.for %j = 0 to 512 {
        %s = memref.alloca() : memref<512xf64>
        affine.for %i = 0 to 512 {
          %v = affine.load %x[%j, 1, %i] : memref<512x2x512xf64>
          affine.store %v, %s[%i] : memref<512xf64>
        }
        affine.for %i = 0 to 512 {
          %v = affine.load %s[-%i + 511] : memref<512xf64>
          affine.store %v, %y[%j, %i] : memref<512x512xf64>
        }
      } {weft.independent, weft.parallel}
    }
    return
  }
  func.func @two_of_each(%a: memref<512x256xf64>, %b: memref<512x256xf64>,
                         %c: memref<512x256xf64>, %d: memref<512x256xf64>) {
    cpe.cores {
      affine.for %j = 0 to 512 {
        %s = memref.alloca() : memref<256xf64>
        %t = memref.alloca() : memref<256xf64>
        affine.for %i = 0 to 256 {
          %v = affine.load %a[%j, %i] : memref<512x256xf64>
          %w = affine.load %b[%j, %i] : memref<512x256xf64>
          affine.store %v, %s[%i] : memref<256xf64>
          affine.store %w, %t[%i] : memref<256xf64>
        }
        affine.for %i = 0 to 256 {
          %v = affine.load %s[-%i + 255] : memref<256xf64>
          %w = affine.load %t[-%i + 255] : memref<256xf64>
          affine.store %w, %c[%j, %i] : memref<512x256xf64>
          affine.store %v, %d[%j, %i] : memref<512x256xf64>
        }
      } {weft.independent, weft.parallel}
    }
    return
  }
}
