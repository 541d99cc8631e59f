// One body needs about all registers, so what the core does stays as it is: also its other loop,
// whose turns could overlap. The C compiler sees what it spills.
// RUN: cat %target_sw26010 %s | weft-opt - --align-arrays --schedule-dual-issue --remarks-filter=.* \
// RUN:   --remark-policy=all 2>&1 | FileCheck %s

// CHECK: rejected {{.*}}What="what a core does, in order", Why="{{[0-9]+}} values at a time, of {{[0-9]+}} registers: the C compiler knows better what to spill"

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @many
// CHECK-NOT: iter_args
// CHECK-NOT: weft.ordered
func.func @many(%s: vector<4xf64>) {
  cpe.cores {
    %x = memref.alloca() : memref<1024xf64>
    %y = memref.alloca() : memref<256xf64>
    affine.for %i = 0 to 1024 step 4 {
      %a = affine.vector_load %x[%i] : memref<1024xf64>, vector<4xf64>
      %b = arith.mulf %a, %a : vector<4xf64>
      affine.vector_store %b, %x[%i] : memref<1024xf64>, vector<4xf64>
    } {weft.independent}
    affine.for %i = 0 to 2 {
      %v0 = affine.vector_load %y[0] : memref<256xf64>, vector<4xf64>
      %v1 = affine.vector_load %y[4] : memref<256xf64>, vector<4xf64>
      %v2 = affine.vector_load %y[8] : memref<256xf64>, vector<4xf64>
      %v3 = affine.vector_load %y[12] : memref<256xf64>, vector<4xf64>
      %v4 = affine.vector_load %y[16] : memref<256xf64>, vector<4xf64>
      %v5 = affine.vector_load %y[20] : memref<256xf64>, vector<4xf64>
      %v6 = affine.vector_load %y[24] : memref<256xf64>, vector<4xf64>
      %v7 = affine.vector_load %y[28] : memref<256xf64>, vector<4xf64>
      %v8 = affine.vector_load %y[32] : memref<256xf64>, vector<4xf64>
      %v9 = affine.vector_load %y[36] : memref<256xf64>, vector<4xf64>
      %v10 = affine.vector_load %y[40] : memref<256xf64>, vector<4xf64>
      %v11 = affine.vector_load %y[44] : memref<256xf64>, vector<4xf64>
      %v12 = affine.vector_load %y[48] : memref<256xf64>, vector<4xf64>
      %v13 = affine.vector_load %y[52] : memref<256xf64>, vector<4xf64>
      %v14 = affine.vector_load %y[56] : memref<256xf64>, vector<4xf64>
      %v15 = affine.vector_load %y[60] : memref<256xf64>, vector<4xf64>
      %v16 = affine.vector_load %y[64] : memref<256xf64>, vector<4xf64>
      %v17 = affine.vector_load %y[68] : memref<256xf64>, vector<4xf64>
      %v18 = affine.vector_load %y[72] : memref<256xf64>, vector<4xf64>
      %v19 = affine.vector_load %y[76] : memref<256xf64>, vector<4xf64>
      %v20 = affine.vector_load %y[80] : memref<256xf64>, vector<4xf64>
      %v21 = affine.vector_load %y[84] : memref<256xf64>, vector<4xf64>
      %v22 = affine.vector_load %y[88] : memref<256xf64>, vector<4xf64>
      %v23 = affine.vector_load %y[92] : memref<256xf64>, vector<4xf64>
      %v24 = affine.vector_load %y[96] : memref<256xf64>, vector<4xf64>
      %v25 = affine.vector_load %y[100] : memref<256xf64>, vector<4xf64>
      %v26 = affine.vector_load %y[104] : memref<256xf64>, vector<4xf64>
      %v27 = affine.vector_load %y[108] : memref<256xf64>, vector<4xf64>
      %v28 = affine.vector_load %y[112] : memref<256xf64>, vector<4xf64>
      %v29 = affine.vector_load %y[116] : memref<256xf64>, vector<4xf64>
      %v30 = affine.vector_load %y[120] : memref<256xf64>, vector<4xf64>
      %v31 = affine.vector_load %y[124] : memref<256xf64>, vector<4xf64>
      %v32 = affine.vector_load %y[128] : memref<256xf64>, vector<4xf64>
      %v33 = affine.vector_load %y[132] : memref<256xf64>, vector<4xf64>
      %s0 = arith.addf %v0, %s : vector<4xf64>
      %s1 = arith.addf %s0, %v1 : vector<4xf64>
      %s2 = arith.addf %s1, %v2 : vector<4xf64>
      %s3 = arith.addf %s2, %v3 : vector<4xf64>
      %s4 = arith.addf %s3, %v4 : vector<4xf64>
      %s5 = arith.addf %s4, %v5 : vector<4xf64>
      %s6 = arith.addf %s5, %v6 : vector<4xf64>
      %s7 = arith.addf %s6, %v7 : vector<4xf64>
      %s8 = arith.addf %s7, %v8 : vector<4xf64>
      %s9 = arith.addf %s8, %v9 : vector<4xf64>
      %s10 = arith.addf %s9, %v10 : vector<4xf64>
      %s11 = arith.addf %s10, %v11 : vector<4xf64>
      %s12 = arith.addf %s11, %v12 : vector<4xf64>
      %s13 = arith.addf %s12, %v13 : vector<4xf64>
      %s14 = arith.addf %s13, %v14 : vector<4xf64>
      %s15 = arith.addf %s14, %v15 : vector<4xf64>
      %s16 = arith.addf %s15, %v16 : vector<4xf64>
      %s17 = arith.addf %s16, %v17 : vector<4xf64>
      %s18 = arith.addf %s17, %v18 : vector<4xf64>
      %s19 = arith.addf %s18, %v19 : vector<4xf64>
      %s20 = arith.addf %s19, %v20 : vector<4xf64>
      %s21 = arith.addf %s20, %v21 : vector<4xf64>
      %s22 = arith.addf %s21, %v22 : vector<4xf64>
      %s23 = arith.addf %s22, %v23 : vector<4xf64>
      %s24 = arith.addf %s23, %v24 : vector<4xf64>
      %s25 = arith.addf %s24, %v25 : vector<4xf64>
      %s26 = arith.addf %s25, %v26 : vector<4xf64>
      %s27 = arith.addf %s26, %v27 : vector<4xf64>
      %s28 = arith.addf %s27, %v28 : vector<4xf64>
      %s29 = arith.addf %s28, %v29 : vector<4xf64>
      %s30 = arith.addf %s29, %v30 : vector<4xf64>
      %s31 = arith.addf %s30, %v31 : vector<4xf64>
      %s32 = arith.addf %s31, %v32 : vector<4xf64>
      %s33 = arith.addf %s32, %v33 : vector<4xf64>
      %w0 = arith.mulf %v0, %s33 : vector<4xf64>
      affine.vector_store %w0, %y[0] : memref<256xf64>, vector<4xf64>
      %w1 = arith.mulf %v1, %s33 : vector<4xf64>
      affine.vector_store %w1, %y[4] : memref<256xf64>, vector<4xf64>
      %w2 = arith.mulf %v2, %s33 : vector<4xf64>
      affine.vector_store %w2, %y[8] : memref<256xf64>, vector<4xf64>
      %w3 = arith.mulf %v3, %s33 : vector<4xf64>
      affine.vector_store %w3, %y[12] : memref<256xf64>, vector<4xf64>
      %w4 = arith.mulf %v4, %s33 : vector<4xf64>
      affine.vector_store %w4, %y[16] : memref<256xf64>, vector<4xf64>
      %w5 = arith.mulf %v5, %s33 : vector<4xf64>
      affine.vector_store %w5, %y[20] : memref<256xf64>, vector<4xf64>
      %w6 = arith.mulf %v6, %s33 : vector<4xf64>
      affine.vector_store %w6, %y[24] : memref<256xf64>, vector<4xf64>
      %w7 = arith.mulf %v7, %s33 : vector<4xf64>
      affine.vector_store %w7, %y[28] : memref<256xf64>, vector<4xf64>
      %w8 = arith.mulf %v8, %s33 : vector<4xf64>
      affine.vector_store %w8, %y[32] : memref<256xf64>, vector<4xf64>
      %w9 = arith.mulf %v9, %s33 : vector<4xf64>
      affine.vector_store %w9, %y[36] : memref<256xf64>, vector<4xf64>
      %w10 = arith.mulf %v10, %s33 : vector<4xf64>
      affine.vector_store %w10, %y[40] : memref<256xf64>, vector<4xf64>
      %w11 = arith.mulf %v11, %s33 : vector<4xf64>
      affine.vector_store %w11, %y[44] : memref<256xf64>, vector<4xf64>
      %w12 = arith.mulf %v12, %s33 : vector<4xf64>
      affine.vector_store %w12, %y[48] : memref<256xf64>, vector<4xf64>
      %w13 = arith.mulf %v13, %s33 : vector<4xf64>
      affine.vector_store %w13, %y[52] : memref<256xf64>, vector<4xf64>
      %w14 = arith.mulf %v14, %s33 : vector<4xf64>
      affine.vector_store %w14, %y[56] : memref<256xf64>, vector<4xf64>
      %w15 = arith.mulf %v15, %s33 : vector<4xf64>
      affine.vector_store %w15, %y[60] : memref<256xf64>, vector<4xf64>
      %w16 = arith.mulf %v16, %s33 : vector<4xf64>
      affine.vector_store %w16, %y[64] : memref<256xf64>, vector<4xf64>
      %w17 = arith.mulf %v17, %s33 : vector<4xf64>
      affine.vector_store %w17, %y[68] : memref<256xf64>, vector<4xf64>
      %w18 = arith.mulf %v18, %s33 : vector<4xf64>
      affine.vector_store %w18, %y[72] : memref<256xf64>, vector<4xf64>
      %w19 = arith.mulf %v19, %s33 : vector<4xf64>
      affine.vector_store %w19, %y[76] : memref<256xf64>, vector<4xf64>
      %w20 = arith.mulf %v20, %s33 : vector<4xf64>
      affine.vector_store %w20, %y[80] : memref<256xf64>, vector<4xf64>
      %w21 = arith.mulf %v21, %s33 : vector<4xf64>
      affine.vector_store %w21, %y[84] : memref<256xf64>, vector<4xf64>
      %w22 = arith.mulf %v22, %s33 : vector<4xf64>
      affine.vector_store %w22, %y[88] : memref<256xf64>, vector<4xf64>
      %w23 = arith.mulf %v23, %s33 : vector<4xf64>
      affine.vector_store %w23, %y[92] : memref<256xf64>, vector<4xf64>
      %w24 = arith.mulf %v24, %s33 : vector<4xf64>
      affine.vector_store %w24, %y[96] : memref<256xf64>, vector<4xf64>
      %w25 = arith.mulf %v25, %s33 : vector<4xf64>
      affine.vector_store %w25, %y[100] : memref<256xf64>, vector<4xf64>
      %w26 = arith.mulf %v26, %s33 : vector<4xf64>
      affine.vector_store %w26, %y[104] : memref<256xf64>, vector<4xf64>
      %w27 = arith.mulf %v27, %s33 : vector<4xf64>
      affine.vector_store %w27, %y[108] : memref<256xf64>, vector<4xf64>
      %w28 = arith.mulf %v28, %s33 : vector<4xf64>
      affine.vector_store %w28, %y[112] : memref<256xf64>, vector<4xf64>
      %w29 = arith.mulf %v29, %s33 : vector<4xf64>
      affine.vector_store %w29, %y[116] : memref<256xf64>, vector<4xf64>
      %w30 = arith.mulf %v30, %s33 : vector<4xf64>
      affine.vector_store %w30, %y[120] : memref<256xf64>, vector<4xf64>
      %w31 = arith.mulf %v31, %s33 : vector<4xf64>
      affine.vector_store %w31, %y[124] : memref<256xf64>, vector<4xf64>
      %w32 = arith.mulf %v32, %s33 : vector<4xf64>
      affine.vector_store %w32, %y[128] : memref<256xf64>, vector<4xf64>
      %w33 = arith.mulf %v33, %s33 : vector<4xf64>
      affine.vector_store %w33, %y[132] : memref<256xf64>, vector<4xf64>
    }
  }
  return
}
}
