// Of two loops that the cores share, the one goes inside whose iterations lie beside one another in
// what is written: rows of 512 bytes for each of 36 points instead of 64, all of it and three of the
// other one together.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-transfers --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @tiles
// CHECK:         affine.for %{{.*}} = 0 to 255 step 3 {
// CHECK:           affine.for %{{.*}} = 0 to 3 {
// CHECK-NEXT:        affine.for %{{.*}} = 0 to 8 {
// CHECK:           cpe.dma_put %{{.*}}, %arg1[{{.*}}] block 384 counts [36]
// CHECK:         } {weft.independent, weft.parallel}
// Images that are written one behind the other stay outside.
// CHECK-LABEL: func.func @images
// CHECK:         affine.for %{{.*}} = 0 to 8 {
// CHECK-NEXT:      affine.for %{{.*}} = 0 to 256 step
module attributes {weft.target = #target} {
  func.func @tiles(%x: memref<8x256x16xf32>, %v: memref<36x256x128xf32>) {
    cpe.cores {
      affine.for %n = 0 to 8 {
        affine.for %c = 0 to 256 {
          affine.for %p = 0 to 36 {
            affine.for %t = 0 to 16 {
              %a = affine.load %x[%n, %c, %t] : memref<8x256x16xf32>
              affine.store %a, %v[%p, %c, %n * 16 + %t] : memref<36x256x128xf32>
            } {weft.independent, weft.lane}
          } {weft.independent}
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
    }
    return
  }
  func.func @images(%x: memref<8x256x16xf32>, %v: memref<8x256x16xf32>) {
    cpe.cores {
      affine.for %n = 0 to 8 {
        affine.for %c = 0 to 256 {
          affine.for %t = 0 to 16 {
            %a = affine.load %x[%n, %c, %t] : memref<8x256x16xf32>
            affine.store %a, %v[%n, %c, %t] : memref<8x256x16xf32>
          } {weft.independent, weft.lane}
        } {weft.independent, weft.parallel}
      } {weft.independent, weft.parallel}
    }
    return
  }
}
