// Four cores of a row share a line (`weft.sharing`): the mesh is one of 16 rows of four cores, and what passes
// from nest to nest goes over within these. Without it eight do.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --canonicalize | FileCheck %s --implicit-check-not=cpe.sync

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @quarters
// CHECK:           affine.for %{{.*}} = 0 to 64 step 16 {
// CHECK:             cpe.spread : memref<16x4x128xf64>
// CHECK:             affine.for %{{.*}} = 0 to 16 {
// CHECK-NEXT:          affine.for %{{.*}} = 0 to 4 {
// CHECK:             cpe.exchange %{{.*}}, %{{.*}} along_rows block 8 counts [4] from 8 [32] to 32 [8]
// CHECK-NOT:         cpe.exchange
// CHECK:           } {weft.in_turn, weft.sharing = 4 : i64}
func.func @quarters(%x: memref<64x512xf64>, %y: memref<64x512xf64>)
    attributes {weft.exchange = 1 : i64} { // no runs that a row of cores moves together
  %t = memref.alloc() : memref<16x512xf64>
  cpe.cores {
    affine.for %i = 0 to 64 step 16 {
      affine.for %l = 0 to 16 {
        affine.for %p = 0 to 16 {
          affine.for %j = 0 to 32 {
            %v = affine.load %x[%i + %l, %j * 16 + %p] : memref<64x512xf64>
            affine.store %v, %t[%l, %p * 32 + %j] : memref<16x512xf64>
          }
        } {weft.independent}
      } {weft.independent, weft.parallel}
      cpe.sync
      affine.for %l = 0 to 16 {
        affine.for %k = 0 to 32 {
          affine.for %q = 0 to 16 {
            %v = affine.load %t[%l, %q * 32 + %k] : memref<16x512xf64>
            affine.store %v, %y[%i + %l, %k * 16 + %q] : memref<64x512xf64>
          }
        } {weft.independent}
      } {weft.independent, weft.parallel}
      cpe.sync
    } {weft.in_turn, weft.sharing = 4 : i64}
  }
  return
}

// CHECK-LABEL: func.func @rows
// CHECK:           affine.for %{{.*}} = 0 to 64 step 8 {
// CHECK:             cpe.spread : memref<8x8x64xf64>
// CHECK:             cpe.exchange %{{.*}}, %{{.*}} along_rows block 4 counts [2] from 4 [32] to 8 [4]
func.func @rows(%x: memref<64x512xf64>, %y: memref<64x512xf64>)
    attributes {weft.exchange = 1 : i64} { // no runs that a row of cores moves together
  %t = memref.alloc() : memref<8x512xf64>
  cpe.cores {
    affine.for %i = 0 to 64 step 8 {
      affine.for %l = 0 to 8 {
        affine.for %p = 0 to 16 {
          affine.for %j = 0 to 32 {
            %v = affine.load %x[%i + %l, %j * 16 + %p] : memref<64x512xf64>
            affine.store %v, %t[%l, %p * 32 + %j] : memref<8x512xf64>
          }
        } {weft.independent}
      } {weft.independent, weft.parallel}
      cpe.sync
      affine.for %l = 0 to 8 {
        affine.for %k = 0 to 32 {
          affine.for %q = 0 to 16 {
            %v = affine.load %t[%l, %q * 32 + %k] : memref<8x512xf64>
            affine.store %v, %y[%i + %l, %k * 16 + %q] : memref<64x512xf64>
          }
        } {weft.independent}
      } {weft.independent, weft.parallel}
      cpe.sync
    } {weft.in_turn}
  }
  return
}
}
