// Without arrays of its own and without vectors a function stays as it is.
// RUN: cat %target_avx512 %s | weft-opt - --align-arrays | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @f
// CHECK-NEXT: affine.for %[[I:.*]] = 0 to 64 {
// CHECK-NEXT: %[[V:.*]] = affine.load %{{.*}}[%[[I]]] : memref<64xf64>
// CHECK-NEXT: affine.store %[[V]], %{{.*}}[%[[I]]] : memref<64xf64>
func.func @f(%x: memref<64xf64>, %y: memref<64xf64>) {
  affine.for %i = 0 to 64 {
    %v = affine.load %x[%i] : memref<64xf64>
    affine.store %v, %y[%i] : memref<64xf64>
  }
  return
}
}
