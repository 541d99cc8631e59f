// The borders of a stencil go with its inside: cores wait for nobody in between, as each nest stores
// rows of its own. What a border does in one iteration, of several loops, is one core's.
// RUN: cat %target_sw26010 %s | weft-opt - --distribute-to-cores | FileCheck %s

// CHECK-LABEL: func.func @border
// CHECK:         cpe.cores {
// CHECK-NEXT:      affine.for %{{.*}} = 0 to 1 {
// CHECK:           } {weft.border, weft.independent, weft.parallel}
// CHECK-NEXT:      affine.for %{{.*}} = 1 to 512 {
// CHECK:           } {weft.independent, weft.parallel}
// CHECK-NEXT:      cpe.sync
// CHECK-NEXT:      affine.for %{{.*}} = 0 to 1 {
// CHECK-NEXT:        affine.for %{{.*}} = 0 to 100 {
// CHECK:             } {weft.independent, weft.parallel}
// CHECK-NEXT:      } {weft.border, weft.independent, weft.parallel}
// CHECK-NEXT:    }
module attributes {weft.target = #target} {
  func.func @border(%x: memref<512x100xf64>, %y: memref<512x100xf64>) {
    affine.for %i = 0 to 1 {
      affine.for %j = 0 to 4 {
        %v = affine.load %x[%i + 511, %j] : memref<512x100xf64>
        affine.store %v, %y[%i, %j] : memref<512x100xf64>
      } {weft.independent, weft.lane}
      affine.for %j = 4 to 100 {
        %v = affine.load %x[%i + 511, %j] : memref<512x100xf64>
        %w = arith.addf %v, %v : f64
        %u = arith.addf %w, %w : f64
        %s = arith.addf %u, %u : f64
        %r = arith.addf %s, %s : f64
        affine.store %r, %y[%i, %j] : memref<512x100xf64>
      } {weft.independent, weft.lane}
    } {weft.border, weft.independent}
    affine.for %i = 1 to 512 {
      affine.for %j = 0 to 100 {
        %v = affine.load %x[%i - 1, %j] : memref<512x100xf64>
        affine.store %v, %y[%i, %j] : memref<512x100xf64>
      } {weft.independent, weft.lane}
    } {weft.independent}
    // Reads what the first one has stored.
    affine.for %i = 0 to 1 {
      affine.for %j = 0 to 100 {
        affine.for %k = 0 to 64 {
          %v = affine.load %y[%i, %j] : memref<512x100xf64>
          %w = arith.addf %v, %v : f64
          affine.store %w, %y[%i + 5, %j] : memref<512x100xf64>
        } {weft.independent, weft.lane}
      } {weft.independent}
    } {weft.border, weft.independent}
    return
  }
}
