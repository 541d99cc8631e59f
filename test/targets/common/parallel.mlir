// RUN: cat %target_portable %s | weft-translate - --weft-to-c | FileCheck %s

// The outermost parallel loop is one for OpenMP; the loops inside of it are not.

module attributes {weft.target = #target} {
  func.func @f(%y: memref<8x8xf64> {weft.name = "y", weft.role = "out"}) {
    %one = arith.constant 1.0 : f64
    // CHECK: #ifdef _OPENMP
    // CHECK-NEXT: #pragma omp parallel for schedule(static)
    // CHECK-NEXT: #endif
    // CHECK-NEXT: for (ptrdiff_t i = 0; i < 8; ++i) {
    // CHECK-NOT: #pragma
    affine.for %i = 0 to 8 {
      affine.for %j = 0 to 8 step 2 {
        affine.store %one, %y[%i, %j] : memref<8x8xf64>
      } {weft.parallel}
    } {weft.parallel}
    return
  }
}
