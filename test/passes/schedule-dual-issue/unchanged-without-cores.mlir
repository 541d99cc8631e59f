// What the management core does is not ordered: it orders for itself.
// RUN: cat %target_sw26010 %s | weft-opt - --align-arrays --schedule-dual-issue | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @alone
// CHECK: affine.for %{{.*}} = 0 to 1024 step 4 {
// CHECK-NEXT: affine.vector_load
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: affine.vector_store
// CHECK-NOT: weft.ordered
func.func @alone(%x: memref<1024xf64>) {
  affine.for %i = 0 to 1024 step 4 {
    %a = affine.vector_load %x[%i] : memref<1024xf64>, vector<4xf64>
    %b = arith.mulf %a, %a : vector<4xf64>
    affine.vector_store %b, %x[%i] : memref<1024xf64>, vector<4xf64>
  }
  return
}
}
