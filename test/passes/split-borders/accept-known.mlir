// What is the same in all iterations of a loop, lanes or not, is known in it: nothing is copied. What
// changes along the loop once in the whole of it, too close to the ends, stays.
// RUN: cat %target_sw26010 %s | weft-opt - --split-borders | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --split-borders | FileCheck %s

// CHECK-LABEL: func.func @inside
// CHECK:         affine.for %[[I:.*]] = 1 to 63 {
// CHECK-NEXT:      affine.for %[[J:.*]] = 1 to 63 {
// CHECK-NEXT:        affine.load %arg0[%[[I]] + 1, %[[J]] - 1]
// CHECK-NEXT:        affine.load %arg0[%[[I]], %[[J]]]
// CHECK-NEXT:        arith.addf
// CHECK-NEXT:        affine.store
// CHECK-NOT:     affine.for
// CHECK-LABEL: func.func @steps
// CHECK:         affine.for %[[J:.*]] = 0 to 3 {
// CHECK-NEXT:      affine.load %arg0[(%[[J]] + 62) mod 64]
module attributes {weft.target = #target} {
  func.func @inside(%x: memref<64x64xf64>, %y: memref<64x64xf64>) {
    %c0 = arith.constant 0 : index
    affine.for %i = 1 to 63 {
      affine.for %j = 1 to 63 {
        %a = affine.load %x[(%i + 1) mod 64, (%j + 63) mod 64] : memref<64x64xf64>
        %b = affine.load %x[%i, %j] : memref<64x64xf64>
        %inside = arith.cmpi sgt, %i, %c0 : index
        %c = arith.select %inside, %b, %a : f64
        %d = arith.addf %a, %c : f64
        affine.store %d, %y[%i, %j] : memref<64x64xf64>
      } {weft.independent, weft.lane}
    } {weft.independent}
    return
  }
  func.func @steps(%x: memref<64xf64>, %y: memref<64xf64>) {
    affine.for %j = 0 to 3 {
      %a = affine.load %x[(%j + 62) mod 64] : memref<64xf64>
      affine.store %a, %y[%j] : memref<64xf64>
    } {weft.independent, weft.lane}
    return
  }
}
