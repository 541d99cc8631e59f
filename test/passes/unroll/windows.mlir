// RUN: cat %target_avx512 %s | weft-opt - --unroll | FileCheck %s
// The sum over a window is written out, both of its loops; then the turns around it that load the
// same go together.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @window
// CHECK: affine.for %{{.*}} = 0 to 12 step 2 {
// CHECK:   affine.for %{{.*}} = 0 to 12 step 2 {
// CHECK-NOT: affine.for
// CHECK-COUNT-36: math.fma
// CHECK-NOT: math.fma
// CHECK-COUNT-4: affine.vector_store
func.func @window(%x: memref<14x14x16xf32>, %g: memref<3x3x16xf32>, %y: memref<12x12x16xf32>) {
  %zero = arith.constant dense<0.0> : vector<16xf32>
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 12 {
      %s = affine.for %r = 0 to 3 iter_args(%outer = %zero) -> vector<16xf32> {
        %t = affine.for %q = 0 to 3 iter_args(%sum = %outer) -> vector<16xf32> {
          %a = affine.vector_load %x[%i + %r, %j + %q, 0] : memref<14x14x16xf32>, vector<16xf32>
          %b = affine.vector_load %g[%r, %q, 0] : memref<3x3x16xf32>, vector<16xf32>
          %n = math.fma %a, %b, %sum : vector<16xf32>
          affine.yield %n : vector<16xf32>
        }
        affine.yield %t : vector<16xf32>
      }
      affine.vector_store %s, %y[%i, %j, 0] : memref<12x12x16xf32>, vector<16xf32>
    } {weft.independent}
  } {weft.independent}
  return
}
}
