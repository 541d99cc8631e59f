// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE
// Full vectors of 8 doubles, the last of which does four of the one before again; what does not
// vary is broadcast before the loop.

// NOTE: decided {{.*}}What="a loop in vectors of 8 lanes", Why="20 iterations: 16 in whole vectors, 4 in one that does others again"

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @scale
// CHECK: %[[A:.*]] = affine.load %{{.*}}[]
// CHECK: %[[V:.*]] = vector.broadcast %[[A]] : f64 to vector<8xf64>
// CHECK: affine.for %[[I:.*]] = 0 to 16 step 8 {
// CHECK:   %[[X:.*]] = affine.vector_load %{{.*}}[%[[I]] + 1] : memref<32xf64>, vector<8xf64>
// CHECK:   %[[Y:.*]] = arith.mulf %[[X]], %[[V]] : vector<8xf64>
// CHECK:   affine.vector_store %[[Y]], %{{.*}}[%[[I]]] : memref<32xf64>, vector<8xf64>
// CHECK: affine.for %{{.*}} = 12 to 20 step 8 {
// CHECK:   arith.mulf %{{.*}} : vector<8xf64>
// CHECK-NOT: affine.for
func.func @scale(%x: memref<32xf64>, %a: memref<f64>, %y: memref<32xf64>) {
  affine.for %i = 0 to 20 {
    %v = affine.load %x[%i + 1] : memref<32xf64>
    %s = affine.load %a[] : memref<f64>
    %p = arith.mulf %v, %s : f64
    affine.store %p, %y[%i] : memref<32xf64>
  } {weft.lane}
  return
}
}
