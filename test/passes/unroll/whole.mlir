// RUN: cat %target_avx512 %s | weft-opt - --unroll --canonicalize | FileCheck %s
// Up to 4 iterations are written out, and a loop with one iteration disappears.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @fill
// CHECK-NOT: affine.for
// CHECK: affine.store %{{.*}}, %{{.*}}[2, 0]
// CHECK: affine.store %{{.*}}, %{{.*}}[2, 1]
// CHECK: affine.store %{{.*}}, %{{.*}}[2, 2]
func.func @fill(%v: f64, %y: memref<3x3xf64>) {
  affine.for %i = 2 to 3 {
    affine.for %j = 0 to 3 {
      affine.store %v, %y[%i, %j] : memref<3x3xf64>
    }
  }
  return
}
}
