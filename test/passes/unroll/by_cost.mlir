// RUN: cat %target_avx512 %s | weft-opt - --unroll | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --unroll --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE
// A short body gets the most copies that divide its iterations: 6 of 12, no rest.

// NOTE: decided {{.*}}What="a loop: 6 copies of its body", Why="the most up to 8 that divide its 12 iterations"

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @square
// CHECK: affine.for %{{.*}} = 0 to 96 step 48 {
// CHECK-COUNT-6: affine.vector_store
// CHECK-NOT: affine.vector_store
// CHECK: return
func.func @square(%x: memref<96xf64>) {
  affine.for %i = 0 to 96 step 8 {
    %v = affine.vector_load %x[%i] : memref<96xf64>, vector<8xf64>
    %s = arith.mulf %v, %v : vector<8xf64>
    affine.vector_store %s, %x[%i] : memref<96xf64>, vector<8xf64>
  }
  return
}
}
