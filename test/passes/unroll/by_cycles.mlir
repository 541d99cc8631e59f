// Where the target tells of its pipes: as many copies as save cycles, while registers last. What a
// schedule asks for beyond them is done, with a warning of what is spilled.
// RUN: cat %target_sw26010 %s | weft-opt - --unroll --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s

// CHECK: decided {{.*}}What="a loop: 4 copies of its body", Why="{{[0-9]+}} cycles a turn of 4 iterations instead of {{[0-9]+}} an iteration; {{[0-9]+}} values at a time and 1 for all, of 28 registers"
// CHECK: warning: unroll: 8 copies of the body of a loop spill about [[SPILLS:[0-9]+]] values: expected at most 28 at a time, found {{[0-9]+}} and 0 for all
// CHECK: rejected {{.*}}What="a loop: 8 copies in registers", Why="about [[SPILLS]] values are spilled: {{[0-9]+}} at a time and 0 for all, of 28 registers", spills=[[SPILLS]]
// CHECK: rejected {{.*}}What="a loop: copies of its body", Why="{{[0-9]+}} cycles an iteration; {{[0-9]+}} values at a time

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @short
// CHECK: affine.for %{{.*}} = 0 to 64 step 16 {
// CHECK-COUNT-4: affine.vector_store
// CHECK-NOT: affine.vector_store
func.func @short(%f: f64) {
  %x = memref.alloca() : memref<64xf64>
  %v = vector.broadcast %f : f64 to vector<4xf64>
  affine.for %i = 0 to 64 step 4 {
    %a = affine.vector_load %x[%i] : memref<64xf64>, vector<4xf64>
    %s = arith.mulf %a, %v : vector<4xf64>
    %t = arith.addf %a, %s : vector<4xf64>
    affine.vector_store %t, %x[%i] : memref<64xf64>, vector<4xf64>
  }
  return
}
// CHECK-LABEL: func.func @forced
// CHECK: affine.for %{{.*}} = 0 to 64 step 32 {
func.func @forced() attributes {weft.unroll = 8 : i64} {
  %x = memref.alloca() : memref<7x64xf64>
  affine.for %i = 0 to 64 step 4 {
    %a0 = affine.vector_load %x[0, %i] : memref<7x64xf64>, vector<4xf64>
    %a1 = affine.vector_load %x[1, %i] : memref<7x64xf64>, vector<4xf64>
    %a2 = affine.vector_load %x[2, %i] : memref<7x64xf64>, vector<4xf64>
    %a3 = affine.vector_load %x[3, %i] : memref<7x64xf64>, vector<4xf64>
    %a4 = affine.vector_load %x[4, %i] : memref<7x64xf64>, vector<4xf64>
    %a5 = affine.vector_load %x[5, %i] : memref<7x64xf64>, vector<4xf64>
    %a6 = affine.vector_load %x[6, %i] : memref<7x64xf64>, vector<4xf64>
    %s0 = arith.mulf %a0, %a6 : vector<4xf64>
    %s1 = arith.mulf %a1, %a5 : vector<4xf64>
    %s2 = arith.mulf %a2, %a4 : vector<4xf64>
    %s3 = arith.mulf %a3, %a3 : vector<4xf64>
    %s4 = arith.mulf %a4, %a2 : vector<4xf64>
    %s5 = arith.mulf %a5, %a1 : vector<4xf64>
    %s6 = arith.mulf %a6, %a0 : vector<4xf64>
    affine.vector_store %s0, %x[0, %i] : memref<7x64xf64>, vector<4xf64>
    affine.vector_store %s1, %x[1, %i] : memref<7x64xf64>, vector<4xf64>
    affine.vector_store %s2, %x[2, %i] : memref<7x64xf64>, vector<4xf64>
    affine.vector_store %s3, %x[3, %i] : memref<7x64xf64>, vector<4xf64>
    affine.vector_store %s4, %x[4, %i] : memref<7x64xf64>, vector<4xf64>
    affine.vector_store %s5, %x[5, %i] : memref<7x64xf64>, vector<4xf64>
    affine.vector_store %s6, %x[6, %i] : memref<7x64xf64>, vector<4xf64>
  }
  return
}
// CHECK-LABEL: func.func @wide
// CHECK: affine.for %{{.*}} = 0 to 64 step 4 {
func.func @wide() {
  %x = memref.alloca() : memref<20x64xf64>
  affine.for %i = 0 to 64 step 4 {
    %a0 = affine.vector_load %x[0, %i] : memref<20x64xf64>, vector<4xf64>
    %a1 = affine.vector_load %x[1, %i] : memref<20x64xf64>, vector<4xf64>
    %a2 = affine.vector_load %x[2, %i] : memref<20x64xf64>, vector<4xf64>
    %a3 = affine.vector_load %x[3, %i] : memref<20x64xf64>, vector<4xf64>
    %a4 = affine.vector_load %x[4, %i] : memref<20x64xf64>, vector<4xf64>
    %a5 = affine.vector_load %x[5, %i] : memref<20x64xf64>, vector<4xf64>
    %a6 = affine.vector_load %x[6, %i] : memref<20x64xf64>, vector<4xf64>
    %a7 = affine.vector_load %x[7, %i] : memref<20x64xf64>, vector<4xf64>
    %a8 = affine.vector_load %x[8, %i] : memref<20x64xf64>, vector<4xf64>
    %a9 = affine.vector_load %x[9, %i] : memref<20x64xf64>, vector<4xf64>
    %a10 = affine.vector_load %x[10, %i] : memref<20x64xf64>, vector<4xf64>
    %a11 = affine.vector_load %x[11, %i] : memref<20x64xf64>, vector<4xf64>
    %a12 = affine.vector_load %x[12, %i] : memref<20x64xf64>, vector<4xf64>
    %a13 = affine.vector_load %x[13, %i] : memref<20x64xf64>, vector<4xf64>
    %a14 = affine.vector_load %x[14, %i] : memref<20x64xf64>, vector<4xf64>
    %a15 = affine.vector_load %x[15, %i] : memref<20x64xf64>, vector<4xf64>
    %a16 = affine.vector_load %x[16, %i] : memref<20x64xf64>, vector<4xf64>
    %a17 = affine.vector_load %x[17, %i] : memref<20x64xf64>, vector<4xf64>
    %a18 = affine.vector_load %x[18, %i] : memref<20x64xf64>, vector<4xf64>
    %a19 = affine.vector_load %x[19, %i] : memref<20x64xf64>, vector<4xf64>
    %s0 = arith.mulf %a0, %a19 : vector<4xf64>
    %s1 = arith.mulf %a1, %a18 : vector<4xf64>
    %s2 = arith.mulf %a2, %a17 : vector<4xf64>
    %s3 = arith.mulf %a3, %a16 : vector<4xf64>
    %s4 = arith.mulf %a4, %a15 : vector<4xf64>
    %s5 = arith.mulf %a5, %a14 : vector<4xf64>
    %s6 = arith.mulf %a6, %a13 : vector<4xf64>
    %s7 = arith.mulf %a7, %a12 : vector<4xf64>
    %s8 = arith.mulf %a8, %a11 : vector<4xf64>
    %s9 = arith.mulf %a9, %a10 : vector<4xf64>
    %s10 = arith.mulf %a10, %a9 : vector<4xf64>
    %s11 = arith.mulf %a11, %a8 : vector<4xf64>
    %s12 = arith.mulf %a12, %a7 : vector<4xf64>
    %s13 = arith.mulf %a13, %a6 : vector<4xf64>
    %s14 = arith.mulf %a14, %a5 : vector<4xf64>
    %s15 = arith.mulf %a15, %a4 : vector<4xf64>
    %s16 = arith.mulf %a16, %a3 : vector<4xf64>
    %s17 = arith.mulf %a17, %a2 : vector<4xf64>
    %s18 = arith.mulf %a18, %a1 : vector<4xf64>
    %s19 = arith.mulf %a19, %a0 : vector<4xf64>
    affine.vector_store %s0, %x[0, %i] : memref<20x64xf64>, vector<4xf64>
    affine.vector_store %s1, %x[1, %i] : memref<20x64xf64>, vector<4xf64>
    affine.vector_store %s2, %x[2, %i] : memref<20x64xf64>, vector<4xf64>
    affine.vector_store %s3, %x[3, %i] : memref<20x64xf64>, vector<4xf64>
    affine.vector_store %s4, %x[4, %i] : memref<20x64xf64>, vector<4xf64>
    affine.vector_store %s5, %x[5, %i] : memref<20x64xf64>, vector<4xf64>
    affine.vector_store %s6, %x[6, %i] : memref<20x64xf64>, vector<4xf64>
    affine.vector_store %s7, %x[7, %i] : memref<20x64xf64>, vector<4xf64>
    affine.vector_store %s8, %x[8, %i] : memref<20x64xf64>, vector<4xf64>
    affine.vector_store %s9, %x[9, %i] : memref<20x64xf64>, vector<4xf64>
    affine.vector_store %s10, %x[10, %i] : memref<20x64xf64>, vector<4xf64>
    affine.vector_store %s11, %x[11, %i] : memref<20x64xf64>, vector<4xf64>
    affine.vector_store %s12, %x[12, %i] : memref<20x64xf64>, vector<4xf64>
    affine.vector_store %s13, %x[13, %i] : memref<20x64xf64>, vector<4xf64>
    affine.vector_store %s14, %x[14, %i] : memref<20x64xf64>, vector<4xf64>
    affine.vector_store %s15, %x[15, %i] : memref<20x64xf64>, vector<4xf64>
    affine.vector_store %s16, %x[16, %i] : memref<20x64xf64>, vector<4xf64>
    affine.vector_store %s17, %x[17, %i] : memref<20x64xf64>, vector<4xf64>
    affine.vector_store %s18, %x[18, %i] : memref<20x64xf64>, vector<4xf64>
    affine.vector_store %s19, %x[19, %i] : memref<20x64xf64>, vector<4xf64>
  }
  return
}
}
