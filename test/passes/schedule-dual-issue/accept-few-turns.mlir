// A loop that turns too seldom for turns to overlap: its body stands in order, loads before stores
// that they do not wait for.
// RUN: cat %target_sw26010 %s | weft-opt - --align-arrays --schedule-dual-issue --remarks-filter=.* \
// RUN:   --remark-policy=all 2>&1 | FileCheck %s

// CHECK: decided {{.*}}What="a loop: its body in order"

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @twice
// CHECK: affine.for %{{.*}} = 0 to 16 step 8 {
// CHECK-NEXT: affine.vector_load
// CHECK-NEXT: affine.vector_load
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: affine.vector_store
// CHECK-NEXT: affine.vector_store
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
  }
  return
}
// CHECK-LABEL: func.func @chain
// CHECK: affine.vector_store
// CHECK-NEXT: affine.vector_load
// CHECK: weft.ordered
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
