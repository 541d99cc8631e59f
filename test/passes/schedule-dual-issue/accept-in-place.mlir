// Beside a loop whose turns overlap, one that turns too seldom for it, and ops between loops: what is
// ready goes before what waits, one load for each pipe's other instruction.
// RUN: cat %target_sw26010 %s | weft-opt - --align-arrays --schedule-dual-issue | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @twice
// CHECK: affine.for %{{.*}} = 0 to 16 step 8 {
// CHECK-NEXT: affine.vector_load
// CHECK-NEXT: affine.vector_load
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: affine.vector_store
// CHECK-NEXT: affine.vector_store
// CHECK-NEXT: {{^ +[}]}}
// CHECK: affine.vector_load %{{.*}}[0]
// CHECK-NEXT: affine.vector_load %{{.*}}[4]
// CHECK: iter_args(
// CHECK: weft.ordered
func.func @twice() {
  cpe.cores {
    %x = memref.alloca() : memref<16xf64>
    %y = memref.alloca() : memref<16xf64>
    affine.for %i = 0 to 16 step 8 {
      %a = affine.vector_load %x[%i] : memref<16xf64>, vector<4xf64>
      %b = arith.mulf %a, %a : vector<4xf64>
      affine.vector_store %b, %y[%i] : memref<16xf64>, vector<4xf64>
      %c = affine.vector_load %x[%i + 4] : memref<16xf64>, vector<4xf64>
      %d = arith.mulf %c, %c : vector<4xf64>
      affine.vector_store %d, %y[%i + 4] : memref<16xf64>, vector<4xf64>
    }
    %e = affine.vector_load %y[0] : memref<16xf64>, vector<4xf64>
    %f = arith.addf %e, %e : vector<4xf64>
    affine.vector_store %f, %x[0] : memref<16xf64>, vector<4xf64>
    %g = affine.vector_load %y[4] : memref<16xf64>, vector<4xf64>
    %h = arith.addf %g, %g : vector<4xf64>
    affine.vector_store %h, %x[4] : memref<16xf64>, vector<4xf64>
    %z = memref.alloca() : memref<1024xf64>
    affine.for %i = 0 to 1024 step 4 {
      %k = affine.vector_load %z[%i] : memref<1024xf64>, vector<4xf64>
      %l = arith.mulf %k, %k : vector<4xf64>
      affine.vector_store %l, %z[%i] : memref<1024xf64>, vector<4xf64>
    } {weft.independent}
  }
  return
}
}
