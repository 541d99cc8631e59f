// What a core does is left to the C compiler where overlapping turns win nothing: the loop turns too
// seldom. Loads stand before stores that they do not wait for: the C compiler cannot tell @twice's
// arrays apart.
// RUN: cat %target_sw26010 %s | weft-opt - --align-arrays --schedule-dual-issue --remarks-filter=.* \
// RUN:   --remark-policy=all 2>&1 | FileCheck %s

// CHECK: rejected {{.*}}What="what a core does, in order", Why="its loops take [[N:[0-9]+]] cycles instead of [[N]]: less than 5 % won"

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @twice
// CHECK: affine.for %{{.*}} = 0 to 16 step 8 {
// CHECK-NEXT: affine.vector_load
// CHECK-NEXT: affine.vector_load
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: affine.vector_store
// CHECK-NEXT: affine.vector_store
// CHECK-NOT: weft.ordered
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
  }
  return
}
// CHECK-LABEL: func.func @chain
// CHECK: affine.vector_store
// CHECK-NEXT: affine.vector_load
// CHECK-NOT: weft.ordered
func.func @chain() {
  cpe.cores {
    %x = memref.alloca() : memref<16xf64>
    affine.for %i = 0 to 8 step 4 {
      %a = affine.vector_load %x[%i] : memref<16xf64>, vector<4xf64>
      %b = arith.mulf %a, %a : vector<4xf64>
      affine.vector_store %b, %x[%i + 4] : memref<16xf64>, vector<4xf64>
      %c = affine.vector_load %x[%i + 4] : memref<16xf64>, vector<4xf64>
      %d = arith.mulf %c, %c : vector<4xf64>
      affine.vector_store %d, %x[%i + 8] : memref<16xf64>, vector<4xf64>
    }
  }
  return
}
}
