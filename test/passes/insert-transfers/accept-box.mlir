// Of three rows a stencil of five points reads more in the middle: what lies between comes as well,
// so that runs are equal. Rows that neighbours read, too, are fetched once for all rows of a tile.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-transfers --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @box
// CHECK:         cpe.dma_get %arg0[{{.*}} block 42 counts [3] strides [1000]
// CHECK-NOT:     affine.load %arg0
// CHECK-LABEL: func.func @tile
// CHECK:         affine.for %{{.*}} = 0 to 248 step 8 {
// CHECK:           cpe.dma_get %arg0[{{.*}} block 2558
// CHECK-NOT:       affine.load %arg0
// CHECK:           cpe.dma_put %{{.*}} block 254 counts [8] strides [256]
// Rows that lie far apart come in parts.
// CHECK-LABEL: func.func @parts
// CHECK:         cpe.dma_get %arg0[{{.*}} block 200 counts []
// CHECK:         cpe.dma_get %arg0[{{.*}} block 100 counts []
// CHECK-NOT:     affine.load %arg0
// In a loop of one iteration, what wraps around with its variable is known.
// CHECK-LABEL: func.func @once
// CHECK:         cpe.dma_get %arg0[{{.*}} block 20 counts []
// CHECK-NOT:     affine.load %arg0
// Where pieces of a loop begin is not known: no piece is made so small that a remainder of its
// variable were known in the first one.
// CHECK-LABEL: func.func @remainder
// CHECK:         affine.for %{{.*}} = 2 to 12994 step 232 {
module attributes {weft.target = #target} {
  func.func @box(%x: memref<64x1000xf64>, %y: memref<64x40xf64>) {
    cpe.cores {
      affine.for %i = 0 to 62 {
        affine.for %j = 0 to 40 {
          %0 = affine.load %x[%i, %j + 101] : memref<64x1000xf64>
          %1 = affine.load %x[%i + 1, %j + 100] : memref<64x1000xf64>
          %2 = affine.load %x[%i + 1, %j + 102] : memref<64x1000xf64>
          %3 = affine.load %x[%i + 2, %j + 101] : memref<64x1000xf64>
          %4 = arith.addf %0, %1 : f64
          %5 = arith.addf %2, %3 : f64
          %6 = arith.addf %4, %5 : f64
          affine.store %6, %y[%i, %j] : memref<64x40xf64>
        } {weft.independent, weft.lane}
      } {weft.independent, weft.parallel}
    }
    return
  }
  func.func @tile(%x: memref<256x256xf64>, %y: memref<256x256xf64>) {
    cpe.cores {
      affine.for %i = 0 to 254 {
        affine.for %j = 0 to 254 {
          %0 = affine.load %x[%i, %j + 1] : memref<256x256xf64>
          %1 = affine.load %x[%i + 1, %j] : memref<256x256xf64>
          %2 = affine.load %x[%i + 1, %j + 2] : memref<256x256xf64>
          %3 = affine.load %x[%i + 2, %j + 1] : memref<256x256xf64>
          %4 = arith.addf %0, %1 : f64
          %5 = arith.addf %2, %3 : f64
          %6 = arith.addf %4, %5 : f64
          affine.store %6, %y[%i, %j] : memref<256x256xf64>
        } {weft.independent, weft.lane, weft.parallel}
      } {weft.independent, weft.parallel}
    }
    return
  }
  func.func @parts(%x: memref<256x100xf64>, %y: memref<256x100xf64>) {
    cpe.cores {
      affine.for %i = 0 to 1 {
        affine.for %j = 0 to 100 {
          %0 = affine.load %x[%i, (%j + 99) mod 100] : memref<256x100xf64>
          %1 = affine.load %x[%i + 1, %j] : memref<256x100xf64>
          %2 = affine.load %x[%i + 255, %j] : memref<256x100xf64>
          %3 = arith.addf %0, %1 : f64
          %4 = arith.addf %2, %3 : f64
          affine.store %4, %y[%i, %j] : memref<256x100xf64>
        } {weft.independent, weft.lane}
      } {weft.independent, weft.parallel}
    }
    return
  }
  func.func @once(%x: memref<64x20xf64>, %y: memref<64x20xf64>) {
    cpe.cores {
      affine.for %i = 0 to 64 {
        affine.for %t = 0 to 20 step 20 {
          affine.for %j = 0 to 20 {
            %0 = affine.load %x[%i, (%t + %j + 19) mod 20] : memref<64x20xf64>
            affine.store %0, %y[%i, %t + %j] : memref<64x20xf64>
          } {weft.independent, weft.lane}
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
    }
    return
  }
  func.func @remainder(%z: memref<13000xf64>, %x: memref<13000xf64>, %y: memref<13000xf64>) {
    cpe.cores {
      affine.for %i = 2 to 12998 {
        %0 = affine.load %z[(%i - 2) mod 13000] : memref<13000xf64>
        %1 = affine.load %x[%i] : memref<13000xf64>
        %2 = arith.addf %0, %1 : f64
        affine.store %2, %y[%i] : memref<13000xf64>
      } {weft.independent, weft.lane, weft.parallel}
    }
    return
  }
}
