// RUN: cat %target_avx512 %s | weft-opt - --unroll | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --unroll --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE
// Turns that load what their neighbours load go together, stores last; a loop keeps two turns at least;
// turns that may see what others store stay apart.

// NOTE: decided {{.*}}What="{{.*}}: 4 turns of it and of loops around it as one", Why="they load the same: 1.50 loads a turn instead of 3.00"

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @columns
// CHECK: affine.for %[[I:.*]] = 0 to 16 step 4 {
// CHECK-COUNT-3: affine.vector_load
// CHECK-NOT: affine.vector_store
// CHECK-COUNT-4: affine.vector_store
// CHECK-NEXT: }
func.func @columns(%x: memref<18x8xf64>, %y: memref<16x8xf64>) {
  affine.for %i = 0 to 16 {
    %a = affine.vector_load %x[%i, 0] : memref<18x8xf64>, vector<8xf64>
    %b = affine.vector_load %x[%i + 1, 0] : memref<18x8xf64>, vector<8xf64>
    %c = affine.vector_load %x[%i + 2, 0] : memref<18x8xf64>, vector<8xf64>
    %d = arith.addf %a, %b : vector<8xf64>
    %e = arith.addf %d, %c : vector<8xf64>
    affine.vector_store %e, %y[%i, 0] : memref<16x8xf64>, vector<8xf64>
  } {weft.independent}
  return
}
// CHECK-LABEL: func.func @as_many_turns
// CHECK: affine.for %{{.*}} = 0 to 4 step 2 {
func.func @as_many_turns(%x: memref<18x8xf64>, %y: memref<16x8xf64>) {
  affine.for %i = 0 to 4 {
    %a = affine.vector_load %x[%i, 0] : memref<18x8xf64>, vector<8xf64>
    %b = affine.vector_load %x[%i + 1, 0] : memref<18x8xf64>, vector<8xf64>
    %c = affine.vector_load %x[%i + 2, 0] : memref<18x8xf64>, vector<8xf64>
    %d = arith.addf %a, %b : vector<8xf64>
    %e = arith.addf %d, %c : vector<8xf64>
    affine.vector_store %e, %y[%i, 0] : memref<16x8xf64>, vector<8xf64>
  } {weft.independent}
  return
}
// CHECK-LABEL: func.func @may_be_one
// CHECK: affine.vector_load
// CHECK: affine.vector_store
// CHECK: affine.vector_load
func.func @may_be_one(%x: memref<18x8xf64>) {
  affine.for %i = 0 to 16 {
    %a = affine.vector_load %x[%i, 0] : memref<18x8xf64>, vector<8xf64>
    %b = affine.vector_load %x[%i + 1, 0] : memref<18x8xf64>, vector<8xf64>
    %c = affine.vector_load %x[%i + 2, 0] : memref<18x8xf64>, vector<8xf64>
    %d = arith.addf %a, %b : vector<8xf64>
    %e = arith.addf %d, %c : vector<8xf64>
    affine.vector_store %e, %x[%i, 0] : memref<18x8xf64>, vector<8xf64>
  } {weft.independent}
  return
}
}
