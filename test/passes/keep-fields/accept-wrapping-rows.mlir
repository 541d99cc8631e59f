// Each of 64 cores has two rows of 128, and a copy of one row of each neighbour; the last core is a
// neighbour of the first. The array that only the loop uses is neither fetched nor put. What a step has
// made is the next one's where it lies: two steps a turn, and no copy.
// RUN: cat %target_sw26010 %s | weft-opt - --keep-fields --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @wrapping
// CHECK-NOT:     memref.alloc()
// CHECK:         cpe.cores {
// CHECK:           %[[U:.*]] = cpe.spread : memref<8x8x192xf64>
// CHECK-NEXT:      %[[N:.*]] = cpe.spread : memref<8x8x192xf64>
// CHECK-NEXT:      affine.for %[[P:.*]] = 0 to 64 {
// CHECK:             cpe.dma_get %arg0[%{{.*}}], %[[U]][%c48] of[%{{.*}}, %{{.*}}] block 46 counts [2] strides [46] pitches [48] : memref<128x46xf64>, memref<8x8x192xf64>
// CHECK-NEXT:      } {weft.parallel, weft.ring = 8 : i64}
// CHECK-NEXT:      cpe.dma_wait
// CHECK-NEXT:      affine.for %{{.*}} = 0 to 5 {
// CHECK-NEXT:        cpe.halo %[[U]] rows 128 own 2 cores 64 columns 8 before 1 after 1 wraps block 48 counts [] strides [] : memref<8x8x192xf64>
// CHECK-NEXT:        affine.for %[[P:.*]] = 0 to 64 {
// CHECK-NEXT:          affine.for %[[I:.*]] = 0 to 2 {
// CHECK-NEXT:            affine.for %[[J:.*]] = 0 to 46 {
// CHECK-NEXT:              affine.load %[[U]][%[[P]] floordiv 8, %[[P]] mod 8, %[[J]] + %[[I]] * 48]
// CHECK-NEXT:              affine.load %[[U]][%[[P]] floordiv 8, %[[P]] mod 8, %[[J]] + %[[I]] * 48 + 96]
// CHECK:                   affine.store %{{.*}}, %[[N]][%[[P]] floordiv 8, %[[P]] mod 8, %[[J]] + %[[I]] * 48 + 48]
// CHECK-NEXT:            } {weft.independent, weft.lane}
// CHECK-NEXT:          }
// CHECK-NEXT:        } {weft.parallel, weft.ring = 8 : i64}
// CHECK-NEXT:        cpe.halo %[[N]]
// CHECK:               affine.store %{{.*}}, %[[U]]
// CHECK-NOT:           affine.store
// CHECK:           cpe.dma_put %[[U]][%c48] of
module attributes {weft.target = #target} {
  func.func @wrapping(%u: memref<128x46xf64>) {
    %new = memref.alloc() : memref<128x46xf64>
    affine.for %t = 0 to 10 {
      affine.for %i = 0 to 128 {
        affine.for %j = 0 to 46 {
          %a = affine.load %u[(%i - 1) mod 128, %j] : memref<128x46xf64>
          %b = affine.load %u[(%i + 1) mod 128, %j] : memref<128x46xf64>
          %s = arith.addf %a, %b : f64
          affine.store %s, %new[%i, %j] : memref<128x46xf64>
        } {weft.independent, weft.lane}
      } {weft.independent}
      affine.for %i = 0 to 128 {
        affine.for %j = 0 to 46 {
          %a = affine.load %new[%i, %j] : memref<128x46xf64>
          affine.store %a, %u[%i, %j] : memref<128x46xf64>
        } {weft.independent, weft.lane}
      } {weft.independent}
    }
    return
  }
}
