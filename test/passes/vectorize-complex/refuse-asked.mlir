// A loop that a schedule names and that has no vector form.
// RUN: cat %target_avx512 %s | not weft-opt - --vectorize-complex 2>&1 | FileCheck %s

// CHECK: error: {{.*}}schedule: vectorize y.axis0: 2 iterations do not fill 8 lanes; expected a loop of 8 or more
module attributes {weft.target = #target} {
func.func @short(%x: memref<2xf64>, %y: memref<2xf64>) {
  affine.for %i = 0 to 2 {
    %a = affine.load %x[%i] : memref<2xf64>
    affine.store %a, %y[%i] : memref<2xf64>
  } {weft.independent, weft.lane, weft.vectorize = "vectorize y.axis0"}
  return
}
}
