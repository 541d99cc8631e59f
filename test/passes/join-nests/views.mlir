// RUN: cat %target_avx512 %s | weft-opt - --join-nests | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --join-nests --keep-slices | FileCheck %s --check-prefix=SLICE
// Rows that are written as real numbers and read as complex ones go from nest to nest in the first cache, too. Not where
// the view has other rows.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @pairs
// CHECK:      affine.for %[[B:.*]] = 0 to 384 {
// CHECK:        affine.store %{{.*}}, %[[T:.*]][%[[B]], %{{.*}}] : memref<384x512xf64>
// CHECK:        affine.load %{{.*}}[%[[B]], {{.*}}, 0] : memref<384x256x2xf64>
// CHECK-NOT:  affine.for %{{.*}} = 0 to 384
// CHECK-LABEL: func.func @other_rows
// SLICE-LABEL: func.func @pairs
// SLICE-NOT:   memref.alloc()
// SLICE:       affine.for %{{.*}} = 0 to 384 {
// SLICE-NEXT:    %[[ROW:.*]] = memref.alloca() {weft.slice} : memref<512xf64>
// SLICE-NEXT:    %[[PAIRS:.*]] = memref.reinterpret_cast %[[ROW]] to offset: [0], sizes: [256, 2], strides: [2, 1] : memref<512xf64> to memref<256x2xf64>
// SLICE:         affine.store %{{.*}}, %[[ROW]][%{{.*}}]
// SLICE:         affine.load %[[PAIRS]][{{.*}}, 0]
// SLICE-LABEL: func.func @other_rows
// SLICE:       memref.alloc()
func.func @pairs(%x: memref<384x512xf64>, %y: memref<384x256xf64>) {
  %t = memref.alloc() : memref<384x512xf64>
  affine.for %b = 0 to 384 {
    affine.for %i = 0 to 512 {
      %a = affine.load %x[%b, %i] : memref<384x512xf64>
      affine.store %a, %t[%b, %i] : memref<384x512xf64>
    } {weft.independent}
  } {weft.independent}
  %pairs = memref.reinterpret_cast %t to offset: [0], sizes: [384, 256, 2], strides: [512, 2, 1] : memref<384x512xf64> to memref<384x256x2xf64>
  affine.for %b = 0 to 384 {
    affine.for %i = 0 to 256 {
      %re = affine.load %pairs[%b, 255 - %i, 0] : memref<384x256x2xf64>
      affine.store %re, %y[%b, %i] : memref<384x256xf64>
    } {weft.independent}
  } {weft.independent}
  return
}
// CHECK:      affine.for %{{.*}} = 0 to 384 {
// CHECK:      affine.for %{{.*}} = 0 to 384 {
// CHECK:      return
func.func @other_rows(%x: memref<384x512xf64>, %y: memref<384x512xf64>) {
  %t = memref.alloc() : memref<384x512xf64>
  affine.for %b = 0 to 384 {
    affine.for %i = 0 to 512 {
      %a = affine.load %x[%b, %i] : memref<384x512xf64>
      affine.store %a, %t[%b, %i] : memref<384x512xf64>
    } {weft.independent}
  } {weft.independent}
  %turned = memref.reinterpret_cast %t to offset: [0], sizes: [512, 384], strides: [384, 1] : memref<384x512xf64> to memref<512x384xf64>
  affine.for %b = 0 to 384 {
    affine.for %i = 0 to 512 {
      %a = affine.load %turned[%i, %b] : memref<512x384xf64>
      affine.store %a, %y[%b, %i] : memref<384x512xf64>
    } {weft.independent}
  } {weft.independent}
  return
}
}
