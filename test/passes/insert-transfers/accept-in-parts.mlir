// What the iterations of a piece read, block after block, comes in parts: the first is computed while
// the others come. What all iterations read does not. Puts go together.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-transfers --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @rows
// CHECK:         affine.for %[[AT:.*]] = 0 to 512 step [[N:[0-9]+]] {
// CHECK:           cpe.dma_get %arg0[%{{.*}}], %{{.*}} block [[B:[0-9]+]] counts [[[P:[0-9]+]]] strides [[[B]]] in_parts
// CHECK-NOT:       cpe.dma_wait{{$}}
// CHECK:           affine.for %[[PART:.*]] = 0 to
// CHECK:             cpe.dma_wait part %{{.*}}
// CHECK:             affine.load
// CHECK:           cpe.dma_put
// CHECK-NEXT:      cpe.dma_wait{{$}}
// CHECK-NEXT:    } {weft.parallel}

// Two iterations of little work: nothing is hidden.
// CHECK-LABEL: func.func @short
// CHECK:         cpe.dma_get
// CHECK-NOT:     in_parts
// CHECK:         cpe.dma_wait{{$}}

// Each core has one piece and computes it so long that the memory has rested when the puts come.
// CHECK-LABEL: func.func @rests
// CHECK:         cpe.dma_get
// CHECK-NOT:     in_parts
// CHECK:         cpe.dma_wait{{$}}

// Each iteration reads its own row, and all others: the first would see what has not come yet.
// CHECK-LABEL: func.func @against_all
// CHECK:         cpe.dma_get %arg0
// CHECK-NOT:     in_parts
// CHECK:         cpe.dma_wait{{$}}
module attributes {weft.target = #target} {
  func.func @rows(%x: memref<512x256xf64>, %y: memref<512x256xf64>) {
    cpe.cores {
      affine.for %j = 0 to 512 {
        affine.for %i = 0 to 256 {
          %v = affine.load %x[%j, %i] : memref<512x256xf64>
          %w = arith.addf %v, %v : f64
          %u = arith.mulf %w, %v : f64
          affine.store %u, %y[%j, %i] : memref<512x256xf64>
        }
      } {weft.parallel}
    }
    return
  }
  func.func @short(%x: memref<128x16xf64>, %y: memref<128x16xf64>) {
    cpe.cores {
      affine.for %j = 0 to 128 {
        affine.for %i = 0 to 16 {
          %v = affine.load %x[%j, %i] : memref<128x16xf64>
          affine.store %v, %y[%j, %i] : memref<128x16xf64>
        }
      } {weft.parallel}
    }
    return
  }
  func.func @rests(%x: memref<512x256xf64>, %y: memref<512x256xf64>) {
    cpe.cores {
      affine.for %j = 0 to 512 {
        affine.for %i = 0 to 256 {
          %v = affine.load %x[%j, %i] : memref<512x256xf64>
          %u = affine.for %k = 0 to 16 iter_args(%w = %v) -> (f64) {
            %p = arith.mulf %w, %v : f64
            %s = arith.addf %p, %v : f64
            affine.yield %s : f64
          }
          affine.store %u, %y[%j, %i] : memref<512x256xf64>
        }
      } {weft.parallel}
    }
    return
  }
  func.func @against_all(%x: memref<64x16x4xf64>, %y: memref<64x16x16xf64>) {
    cpe.cores {
      affine.for %q = 0 to 64 {
        affine.for %i = 0 to 16 {
          affine.for %j = 0 to 16 {
            %zero = arith.constant 0.0 : f64
            %sum = affine.for %k = 0 to 4 iter_args(%before = %zero) -> (f64) {
              %own = affine.load %x[%q, %i, %k] : memref<64x16x4xf64>
              %other = affine.load %x[%q, %j, %k] : memref<64x16x4xf64>
              %apart = arith.subf %own, %other : f64
              %square = arith.mulf %apart, %apart : f64
              %after = arith.addf %before, %square : f64
              affine.yield %after : f64
            } {weft.lane}
            affine.store %sum, %y[%q, %i, %j] : memref<64x16x16xf64>
          }
        } {weft.parallel}
      } {weft.parallel}
    }
    return
  }
}
