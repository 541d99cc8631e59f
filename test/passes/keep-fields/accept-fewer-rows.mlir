// A field with two rows fewer than the array with a border around it: its first row is the second
// one of a core's, and rows that are not there are neither fetched nor put.
// RUN: cat %target_sw26010 %s | weft-opt - --keep-fields --canonicalize --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @bordered
// CHECK:         cpe.cores {
// CHECK:           %[[U:.*]] = cpe.spread : memref<8x8x48xf64>
// CHECK:           affine.for %[[P:.*]] = 0 to 64 {
// CHECK-NEXT:        affine.if affine_set<(d0) : (d0 - 1 >= 0, -d0 + 62 >= 0)>(%[[P]]) {
// CHECK:               %[[AT:.*]] = affine.apply affine_map<(d0) -> (d0 * 46 - 46)>(%[[P]])
// CHECK:               cpe.dma_get %arg0[%[[AT]]], %[[U]]
// CHECK:           cpe.halo %{{.*}} rows 64 own 1 cores 64 columns 8 before 1 after 1
// CHECK:           affine.if affine_set<(d0) : (d0 - 1 >= 0, -d0 + 62 >= 0)>
// CHECK:             cpe.dma_put %[[U]]
module attributes {weft.target = #target} {
  func.func @bordered(%u: memref<62x46xf64>) {
    %zero = arith.constant 0.0 : f64
    %p = memref.alloc() : memref<64x46xf64>
    affine.for %t = 0 to 10 {
      affine.for %j = 0 to 46 {
        affine.store %zero, %p[0, %j] : memref<64x46xf64>
      } {weft.independent, weft.lane}
      affine.for %j = 0 to 46 {
        affine.store %zero, %p[63, %j] : memref<64x46xf64>
      } {weft.independent, weft.lane}
      affine.for %i = 0 to 62 {
        affine.for %j = 0 to 46 {
          %v = affine.load %u[%i, %j] : memref<62x46xf64>
          affine.store %v, %p[%i + 1, %j] : memref<64x46xf64>
        } {weft.independent, weft.lane}
      } {weft.independent}
      affine.for %i = 0 to 62 {
        affine.for %j = 0 to 46 {
          %a = affine.load %p[%i, %j] : memref<64x46xf64>
          %b = affine.load %p[%i + 2, %j] : memref<64x46xf64>
          %s = arith.addf %a, %b : f64
          affine.store %s, %u[%i, %j] : memref<62x46xf64>
        } {weft.independent, weft.lane}
      } {weft.independent}
    }
    return
  }
}
