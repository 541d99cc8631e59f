// RUN: cat %target_avx512 %s | weft-opt - --unroll | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --unroll --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE
// A kernel's schedule counts for its own loops only: 2 copies instead of the 6 of its neighbour.

// NOTE: decided {{.*}}What="a loop: 2 copies of its body", Why="the schedule or an option asks for 2"
// NOTE: decided {{.*}}What="a loop: 6 copies of its body", Why="the most up to 8 that divide its 12 iterations"

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @scheduled
// CHECK: affine.for %{{.*}} = 0 to 96 step 16 {
// CHECK-COUNT-2: affine.vector_store
// CHECK-NOT: affine.vector_store
// CHECK-LABEL: func.func @by_cost
// CHECK: affine.for %{{.*}} = 0 to 96 step 48 {
func.func @scheduled(%x: memref<96xf64>) attributes {weft.unroll = 2 : i64} {
  affine.for %i = 0 to 96 step 8 {
    %v = affine.vector_load %x[%i] : memref<96xf64>, vector<8xf64>
    %s = arith.mulf %v, %v : vector<8xf64>
    affine.vector_store %s, %x[%i] : memref<96xf64>, vector<8xf64>
  }
  return
}
func.func @by_cost(%x: memref<96xf64>) {
  affine.for %i = 0 to 96 step 8 {
    %v = affine.vector_load %x[%i] : memref<96xf64>, vector<8xf64>
    %s = arith.mulf %v, %v : vector<8xf64>
    affine.vector_store %s, %x[%i] : memref<96xf64>, vector<8xf64>
  }
  return
}
}
