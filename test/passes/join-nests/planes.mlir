// RUN: cat %target_avx512 %s | weft-opt - --join-nests | FileCheck %s
// Planes are worked on by both nests while they are in the cache; pure operations move ahead.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @planes
// CHECK:      arith.constant
// CHECK:      affine.for %[[Z:.*]] = 0 to 64 {
// CHECK-NEXT:   affine.for
// CHECK:          affine.store %{{.*}}, %arg1[%[[Z]] + %{{.*}}, %{{.*}}, 0]
// CHECK:        affine.for
// CHECK-NEXT:     affine.load %arg1[%[[Z]], 0, %{{.*}}]
// CHECK-NOT:  affine.for
// CHECK:      } {weft.independent}
// CHECK-NOT:  affine.for
func.func @planes(%x: memref<64x64x64xf64>, %y: memref<64x64x64xf64>) {
  affine.for %z = 0 to 64 {
    affine.for %j = 0 to 64 {
      // A loop of one iteration does not hide whose slice it is.
      affine.for %once = 0 to 1 {
        %a = affine.load %x[%z, %j, 0] : memref<64x64x64xf64>
        affine.store %a, %y[%z + %once, %j, 0] : memref<64x64x64xf64>
      }
    }
  } {weft.independent}
  %two = arith.constant 2.0 : f64
  affine.for %z = 0 to 64 {
    affine.for %i = 0 to 64 {
      %a = affine.load %y[%z, 0, %i] : memref<64x64x64xf64>
      %b = arith.mulf %a, %two : f64
      affine.store %b, %y[%z, 1, %i] : memref<64x64x64xf64>
    }
  } {weft.independent}
  return
}
}
