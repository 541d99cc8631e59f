// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// A product that a loop adds to what it carries is one operation with the sum.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @window
// CHECK: affine.for %{{.*}} = 0 to 32 step 8 {
// CHECK:   affine.for %{{.*}} = 0 to 3 iter_args(%[[SUM:.*]] = %{{.*}}) -> (vector<8xf64>) {
// CHECK-NOT: arith.mulf
// CHECK:     %[[NEXT:.*]] = math.fma %{{.*}}, %{{.*}}, %[[SUM]] : vector<8xf64>
// CHECK:     affine.yield %[[NEXT]]
func.func @window(%x: memref<34xf64>, %g: memref<3x32xf64>, %y: memref<32xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 32 {
    %s = affine.for %r = 0 to 3 iter_args(%sum = %zero) -> f64 {
      %a = affine.load %x[%i + %r] : memref<34xf64>
      %b = affine.load %g[%r, %i] : memref<3x32xf64>
      %p = arith.mulf %a, %b : f64
      %n = arith.addf %sum, %p : f64
      affine.yield %n : f64
    }
    affine.store %s, %y[%i] : memref<32xf64>
  } {weft.lane}
  return
}
}
