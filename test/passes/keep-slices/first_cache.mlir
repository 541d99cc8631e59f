// RUN: cat %target_avx512 %s | weft-opt - --keep-slices | FileCheck %s
// What passes between nests of a loop, and nobody else needs, is a slice where the first cache holds
// it and not the whole.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @planes
// CHECK-NOT:   memref.alloc()
// CHECK:       affine.for %{{.*}} = 0 to 384 {
// CHECK-NEXT:    %[[SLICE:.*]] = memref.alloca() {weft.slice} : memref<16x16xf32>
// CHECK:         affine.store %{{.*}}, %[[SLICE]][
// CHECK:         affine.load %[[SLICE]][
func.func @planes(%x: memref<384x16x16xf32>, %y: memref<384x16xf32>) {
  %t = memref.alloc() : memref<384x16x16xf32>
  affine.for %c = 0 to 384 {
    affine.for %i = 0 to 16 {
      affine.for %j = 0 to 16 {
        %a = affine.load %x[%c, %i, %j] : memref<384x16x16xf32>
        affine.store %a, %t[%c, %i, %j] : memref<384x16x16xf32>
      }
    } {weft.independent}
    affine.for %i = 0 to 16 {
      %a = affine.load %t[%c, %i, 15 - %i] : memref<384x16x16xf32>
      affine.store %a, %y[%c, %i] : memref<384x16xf32>
    } {weft.independent}
  } {weft.independent}
  return
}
// CHECK-LABEL: func.func @all_near
// CHECK:       memref.alloc()
// CHECK-NOT:   weft.slice
// CHECK:       return
func.func @all_near(%x: memref<16x16x16xf32>, %y: memref<16x16xf32>) {
  %t = memref.alloc() : memref<16x16x16xf32>
  affine.for %c = 0 to 16 {
    affine.for %i = 0 to 16 {
      affine.for %j = 0 to 16 {
        %a = affine.load %x[%c, %i, %j] : memref<16x16x16xf32>
        affine.store %a, %t[%c, %i, %j] : memref<16x16x16xf32>
      }
    } {weft.independent}
    affine.for %i = 0 to 16 {
      %a = affine.load %t[%c, %i, 15 - %i] : memref<16x16x16xf32>
      affine.store %a, %y[%c, %i] : memref<16x16xf32>
    } {weft.independent}
  } {weft.independent}
  return
}
// Variables of loops around do not vary within an iteration: they are no part of a slice.
// CHECK-LABEL: func.func @planes_of_images
// CHECK-NOT:   memref.alloc()
// CHECK:       affine.for %{{.*}} = 0 to 4 {
// CHECK:         affine.for %{{.*}} = 0 to 96 {
// CHECK-NEXT:      memref.alloca() {weft.slice} : memref<16x16xf32>
func.func @planes_of_images(%x: memref<4x96x16x16xf32>, %y: memref<4x96x16xf32>) {
  %t = memref.alloc() : memref<4x96x16x16xf32>
  affine.for %n = 0 to 4 {
    affine.for %c = 0 to 96 {
      affine.for %i = 0 to 16 {
        affine.for %j = 0 to 16 {
          %a = affine.load %x[%n, %c, %i, %j] : memref<4x96x16x16xf32>
          affine.store %a, %t[%n, %c, %i, %j] : memref<4x96x16x16xf32>
        }
      } {weft.independent}
      affine.for %i = 0 to 16 {
        %a = affine.load %t[%n, %c, %i, 15 - %i] : memref<4x96x16x16xf32>
        affine.store %a, %y[%n, %c, %i] : memref<4x96x16xf32>
      } {weft.independent}
    } {weft.independent}
  } {weft.independent}
  return
}
}
