// RUN: cat %target_avx512 %s | weft-opt - --unroll | FileCheck %s
// Turns of a scalar body are not put together, though they load the same: the C compiler makes vectors
// of them, which it does not of copies.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @colours
// CHECK: affine.for %{{.*}} = 0 to 100 {
// CHECK-COUNT-3: affine.store
// CHECK-NOT: affine.store
func.func @colours(%m: memref<3xf32>, %x: memref<100x3xf32>, %y: memref<100x3xf32>) {
  affine.for %i = 0 to 100 {
    affine.for %c = 0 to 3 {
      %a = affine.load %m[%c] : memref<3xf32>
      %b = affine.load %x[%i, 0] : memref<100x3xf32>
      %d = arith.mulf %a, %b : f32
      affine.store %d, %y[%i, %c] : memref<100x3xf32>
    } {weft.independent}
  } {weft.independent}
  return
}
}
