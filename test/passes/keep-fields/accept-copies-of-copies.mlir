// What a field is fetched from is made although it is a copy of another array.
// RUN: cat %target_sw26010 %s | weft-opt - --keep-fields --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @chain
// CHECK-SAME:    (%[[X:.*]]: memref<64x40xf64>, %[[U:.*]]: memref<64x40xf64>)
// CHECK:         %[[W:.*]] = memref.alloc()
// CHECK:         affine.load %[[X]]
// CHECK-NEXT:    affine.store %{{.*}}, %[[W]]
// CHECK-NOT:     affine.store
// CHECK:         cpe.cores
// CHECK:         cpe.dma_get %[[W]]
// CHECK:         cpe.dma_get %[[W]]
module attributes {weft.target = #target} {
  func.func @chain(%x: memref<64x40xf64>, %u: memref<64x40xf64>) {
    %w = memref.alloc() : memref<64x40xf64>
    affine.for %i = 0 to 64 {
      affine.for %j = 0 to 40 {
        %a = affine.load %x[%i, %j] : memref<64x40xf64>
        affine.store %a, %w[%i, %j] : memref<64x40xf64>
      } {weft.independent, weft.lane}
    } {weft.independent}
    affine.for %i = 0 to 64 {
      affine.for %j = 0 to 40 {
        %a = affine.load %w[%i, %j] : memref<64x40xf64>
        affine.store %a, %u[%i, %j] : memref<64x40xf64>
      } {weft.independent, weft.lane}
    } {weft.independent}
    affine.for %t = 0 to 9 {
      affine.for %i = 0 to 64 {
        affine.for %j = 0 to 40 {
          %a = affine.load %u[(%i + 1) mod 64, %j] : memref<64x40xf64>
          %b = affine.load %w[%i, %j] : memref<64x40xf64>
          %s = arith.addf %a, %b : f64
          affine.store %s, %w[%i, %j] : memref<64x40xf64>
        } {weft.independent, weft.lane}
      } {weft.independent}
      affine.for %i = 0 to 64 {
        affine.for %j = 0 to 40 {
          %b = affine.load %w[(%i + 1) mod 64, %j] : memref<64x40xf64>
          %s = arith.addf %b, %b : f64
          affine.store %s, %u[%i, %j] : memref<64x40xf64>
        } {weft.independent, weft.lane}
      } {weft.independent}
    }
    return
  }
}
