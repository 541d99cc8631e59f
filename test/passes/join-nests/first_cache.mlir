// RUN: cat %target_avx512 %s | weft-opt - --join-nests | FileCheck %s
// Planes of a kilobyte and more go to the next nest while the first cache has them; slices that are
// smaller are read again before they are written, and stay apart. Loops of one turn do not hide others.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @planes
// CHECK:      affine.for %[[N:.*]] = 0 to 1 {
// CHECK-NEXT:   affine.for %[[C:.*]] = 0 to 384 {
// CHECK:          affine.store %{{.*}}, %arg1[%[[N]], %[[C]],
// CHECK:          affine.load %arg1[%[[N]], %[[C]],
// CHECK-NOT:  affine.for %{{.*}} = 0 to 384
// CHECK-LABEL: func.func @small
func.func @planes(%x: memref<1x384x256xf32>, %t: memref<1x384x256xf32>, %y: memref<1x384x256xf32>) {
  affine.for %n = 0 to 1 {
    affine.for %c = 0 to 384 {
      affine.for %i = 0 to 256 {
        %a = affine.load %x[%n, %c, %i] : memref<1x384x256xf32>
        affine.store %a, %t[%n, %c, %i] : memref<1x384x256xf32>
      } {weft.independent}
    } {weft.independent}
  } {weft.independent}
  affine.for %n = 0 to 1 {
    affine.for %c = 0 to 384 {
      affine.for %i = 0 to 256 {
        %a = affine.load %t[%n, %c, 255 - %i] : memref<1x384x256xf32>
        affine.store %a, %y[%n, %c, %i] : memref<1x384x256xf32>
      } {weft.independent}
    } {weft.independent}
  } {weft.independent}
  return
}
// CHECK:      affine.for %{{.*}} = 0 to 384 {
// CHECK:      affine.for %{{.*}} = 0 to 384 {
// CHECK:      return
func.func @small(%x: memref<384x127xf32>, %t: memref<384x127xf32>, %y: memref<384x127xf32>) {
  affine.for %c = 0 to 384 {
    affine.for %i = 0 to 127 {
      %a = affine.load %x[%c, %i] : memref<384x127xf32>
      affine.store %a, %t[%c, %i] : memref<384x127xf32>
    } {weft.independent}
  } {weft.independent}
  affine.for %c = 0 to 384 {
    affine.for %i = 0 to 127 {
      %a = affine.load %t[%c, 126 - %i] : memref<384x127xf32>
      affine.store %a, %y[%c, %i] : memref<384x127xf32>
    } {weft.independent}
  } {weft.independent}
  return
}
}
