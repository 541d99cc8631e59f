// Of channels side by side and planes, the rows of a plane go between the loops over squares: a page
// of a plane is done with before the next plane's. Not where the channels' side does not stay in the
// second cache meanwhile, and not where planes are small.
// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex --canonicalize | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @out
// CHECK:       affine.for %[[C:.*]] = 0 to 32 step 16 {
// CHECK-NEXT:    affine.for %[[ROW:.*]] = 0 to 20 {
// CHECK-NEXT:      affine.for %[[COLUMN:.*]] = 0 to 32 step 16 {
// CHECK-NEXT:        affine.vector_load %arg0[%[[ROW]], %[[COLUMN]], %[[C]]]
// CHECK:             affine.vector_store %{{.*}}, %arg1[%[[C]], %[[ROW]], %[[COLUMN]]]
// CHECK:           } {weft.independent}
// The last square of a row, behind the others of it.
// CHECK-NEXT:      affine.vector_load %arg0[%[[ROW]], 20, %[[C]]]
// CHECK:           affine.vector_store %{{.*}}, %arg1[%[[C]], %[[ROW]], 20]
// CHECK:         } {weft.independent}
// CHECK-NEXT:  } {weft.independent, weft.parallel}
func.func @out(%from: memref<20x36x32xf32>, %y: memref<32x20x36xf32>) {
  affine.for %row = 0 to 20 {
    affine.for %c = 0 to 32 {
      affine.for %column = 0 to 36 {
        %e = affine.load %from[%row, %column, %c] : memref<20x36x32xf32>
        affine.store %e, %y[%c, %row, %column] : memref<32x20x36xf32>
      } {weft.independent, weft.lane}
    } {weft.independent, weft.transpose, weft.parallel}
  } {weft.independent}
  return
}
// Planes are read: their loop goes inside of that over the channels.
// CHECK-LABEL: func.func @into
// CHECK:       affine.for %[[C:.*]] = 0 to 32 step 16 {
// CHECK-NEXT:    affine.for %[[ROW:.*]] = 0 to 20 {
// CHECK-NEXT:      affine.for %[[COLUMN:.*]] = 0 to 32 step 16 {
// CHECK-NEXT:        affine.vector_load %arg0[%[[C]], %[[ROW]], %[[COLUMN]]]
func.func @into(%x: memref<32x20x32xf32>, %to: memref<20x32x32xf32>) {
  affine.for %row = 0 to 20 {
    affine.for %column = 0 to 32 {
      affine.for %c = 0 to 32 {
        %e = affine.load %x[%c, %row, %column] : memref<32x20x32xf32>
        affine.store %e, %to[%row, %column, %c] : memref<20x32x32xf32>
      } {weft.independent, weft.lane}
    } {weft.independent, weft.transpose}
  } {weft.independent}
  return
}
// Few channels would leave cores without work.
// CHECK-LABEL: func.func @shared
// CHECK:       affine.for %{{.*}} = 0 to 20 {
// CHECK-NEXT:    affine.for %{{.*}} = 0 to 32 step 16 {
// CHECK-NEXT:      affine.for %{{.*}} = 0 to 32 step 16 {
// CHECK:       } {weft.independent, weft.parallel}
func.func @shared(%from: memref<20x32x32xf32>, %y: memref<32x20x32xf32>) {
  affine.for %row = 0 to 20 {
    affine.for %c = 0 to 32 {
      affine.for %column = 0 to 32 {
        %e = affine.load %from[%row, %column, %c] : memref<20x32x32xf32>
        affine.store %e, %y[%c, %row, %column] : memref<32x20x32xf32>
      } {weft.independent, weft.lane}
    } {weft.independent, weft.transpose}
  } {weft.independent, weft.parallel}
  return
}
// CHECK-LABEL: func.func @beyond_the_cache
// CHECK:       affine.for %{{.*}} = 0 to 256 {
// CHECK-NEXT:    affine.for %{{.*}} = 0 to 32 step 16 {
func.func @beyond_the_cache(%from: memref<256x256x32xf32>, %y: memref<32x256x256xf32>) {
  affine.for %row = 0 to 256 {
    affine.for %c = 0 to 32 {
      affine.for %column = 0 to 256 {
        %e = affine.load %from[%row, %column, %c] : memref<256x256x32xf32>
        affine.store %e, %y[%c, %row, %column] : memref<32x256x256xf32>
      } {weft.independent, weft.lane}
    } {weft.independent, weft.transpose}
  } {weft.independent}
  return
}
// CHECK-LABEL: func.func @small_planes
// CHECK:       affine.for %{{.*}} = 0 to 8 {
// CHECK-NEXT:    affine.for %{{.*}} = 0 to 32 step 16 {
func.func @small_planes(%from: memref<8x16x32xf32>, %y: memref<32x8x16xf32>) {
  affine.for %row = 0 to 8 {
    affine.for %c = 0 to 32 {
      affine.for %column = 0 to 16 {
        %e = affine.load %from[%row, %column, %c] : memref<8x16x32xf32>
        affine.store %e, %y[%c, %row, %column] : memref<32x8x16xf32>
      } {weft.independent, weft.lane}
    } {weft.independent, weft.transpose}
  } {weft.independent}
  return
}
}
