// Sixteen values that are all needed at one time and few registers for more: sums go on with what is
// there before anything new is loaded, so that nothing need be spilled.
// RUN: cat %target_sw26010 %s | weft-opt - --align-arrays --schedule-dual-issue --remarks-filter=.* \
// RUN:   --remark-policy=all 2>&1 | FileCheck %s

// CHECK-NOT: spill
// CHECK: decided {{.*}}What="a loop: its body in order"

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @sums
// CHECK: weft.ordered
func.func @sums() {
  cpe.cores {
    %x = memref.alloca() : memref<4x64xf64>
    %f = memref.alloca() : memref<4x64xf64>
    affine.for %k = 0 to 4 {
      %x0 = affine.vector_load %x[%k, 0] : memref<4x64xf64>, vector<4xf64>
      %x1 = affine.vector_load %x[%k, 4] : memref<4x64xf64>, vector<4xf64>
      %x2 = affine.vector_load %x[%k, 8] : memref<4x64xf64>, vector<4xf64>
      %x3 = affine.vector_load %x[%k, 12] : memref<4x64xf64>, vector<4xf64>
      %x4 = affine.vector_load %x[%k, 16] : memref<4x64xf64>, vector<4xf64>
      %x5 = affine.vector_load %x[%k, 20] : memref<4x64xf64>, vector<4xf64>
      %x6 = affine.vector_load %x[%k, 24] : memref<4x64xf64>, vector<4xf64>
      %x7 = affine.vector_load %x[%k, 28] : memref<4x64xf64>, vector<4xf64>
      %x8 = affine.vector_load %x[%k, 32] : memref<4x64xf64>, vector<4xf64>
      %x9 = affine.vector_load %x[%k, 36] : memref<4x64xf64>, vector<4xf64>
      %x10 = affine.vector_load %x[%k, 40] : memref<4x64xf64>, vector<4xf64>
      %x11 = affine.vector_load %x[%k, 44] : memref<4x64xf64>, vector<4xf64>
      %x12 = affine.vector_load %x[%k, 48] : memref<4x64xf64>, vector<4xf64>
      %x13 = affine.vector_load %x[%k, 52] : memref<4x64xf64>, vector<4xf64>
      %x14 = affine.vector_load %x[%k, 56] : memref<4x64xf64>, vector<4xf64>
      %x15 = affine.vector_load %x[%k, 60] : memref<4x64xf64>, vector<4xf64>
      %s8_0 = arith.addf %x0, %x8 : vector<4xf64>
      %s8_8 = arith.subf %x0, %x8 : vector<4xf64>
      %s8_1 = arith.addf %x1, %x9 : vector<4xf64>
      %s8_9 = arith.subf %x1, %x9 : vector<4xf64>
      %s8_2 = arith.addf %x2, %x10 : vector<4xf64>
      %s8_10 = arith.subf %x2, %x10 : vector<4xf64>
      %s8_3 = arith.addf %x3, %x11 : vector<4xf64>
      %s8_11 = arith.subf %x3, %x11 : vector<4xf64>
      %s8_4 = arith.addf %x4, %x12 : vector<4xf64>
      %s8_12 = arith.subf %x4, %x12 : vector<4xf64>
      %s8_5 = arith.addf %x5, %x13 : vector<4xf64>
      %s8_13 = arith.subf %x5, %x13 : vector<4xf64>
      %s8_6 = arith.addf %x6, %x14 : vector<4xf64>
      %s8_14 = arith.subf %x6, %x14 : vector<4xf64>
      %s8_7 = arith.addf %x7, %x15 : vector<4xf64>
      %s8_15 = arith.subf %x7, %x15 : vector<4xf64>
      %s4_0 = arith.addf %s8_0, %s8_4 : vector<4xf64>
      %s4_4 = arith.subf %s8_0, %s8_4 : vector<4xf64>
      %s4_1 = arith.addf %s8_1, %s8_5 : vector<4xf64>
      %s4_5 = arith.subf %s8_1, %s8_5 : vector<4xf64>
      %s4_2 = arith.addf %s8_2, %s8_6 : vector<4xf64>
      %s4_6 = arith.subf %s8_2, %s8_6 : vector<4xf64>
      %s4_3 = arith.addf %s8_3, %s8_7 : vector<4xf64>
      %s4_7 = arith.subf %s8_3, %s8_7 : vector<4xf64>
      %s4_8 = arith.addf %s8_8, %s8_12 : vector<4xf64>
      %s4_12 = arith.subf %s8_8, %s8_12 : vector<4xf64>
      %s4_9 = arith.addf %s8_9, %s8_13 : vector<4xf64>
      %s4_13 = arith.subf %s8_9, %s8_13 : vector<4xf64>
      %s4_10 = arith.addf %s8_10, %s8_14 : vector<4xf64>
      %s4_14 = arith.subf %s8_10, %s8_14 : vector<4xf64>
      %s4_11 = arith.addf %s8_11, %s8_15 : vector<4xf64>
      %s4_15 = arith.subf %s8_11, %s8_15 : vector<4xf64>
      %s2_0 = arith.addf %s4_0, %s4_2 : vector<4xf64>
      %s2_2 = arith.subf %s4_0, %s4_2 : vector<4xf64>
      %s2_1 = arith.addf %s4_1, %s4_3 : vector<4xf64>
      %s2_3 = arith.subf %s4_1, %s4_3 : vector<4xf64>
      %s2_4 = arith.addf %s4_4, %s4_6 : vector<4xf64>
      %s2_6 = arith.subf %s4_4, %s4_6 : vector<4xf64>
      %s2_5 = arith.addf %s4_5, %s4_7 : vector<4xf64>
      %s2_7 = arith.subf %s4_5, %s4_7 : vector<4xf64>
      %s2_8 = arith.addf %s4_8, %s4_10 : vector<4xf64>
      %s2_10 = arith.subf %s4_8, %s4_10 : vector<4xf64>
      %s2_9 = arith.addf %s4_9, %s4_11 : vector<4xf64>
      %s2_11 = arith.subf %s4_9, %s4_11 : vector<4xf64>
      %s2_12 = arith.addf %s4_12, %s4_14 : vector<4xf64>
      %s2_14 = arith.subf %s4_12, %s4_14 : vector<4xf64>
      %s2_13 = arith.addf %s4_13, %s4_15 : vector<4xf64>
      %s2_15 = arith.subf %s4_13, %s4_15 : vector<4xf64>
      %s1_0 = arith.addf %s2_0, %s2_1 : vector<4xf64>
      %s1_1 = arith.subf %s2_0, %s2_1 : vector<4xf64>
      %s1_2 = arith.addf %s2_2, %s2_3 : vector<4xf64>
      %s1_3 = arith.subf %s2_2, %s2_3 : vector<4xf64>
      %s1_4 = arith.addf %s2_4, %s2_5 : vector<4xf64>
      %s1_5 = arith.subf %s2_4, %s2_5 : vector<4xf64>
      %s1_6 = arith.addf %s2_6, %s2_7 : vector<4xf64>
      %s1_7 = arith.subf %s2_6, %s2_7 : vector<4xf64>
      %s1_8 = arith.addf %s2_8, %s2_9 : vector<4xf64>
      %s1_9 = arith.subf %s2_8, %s2_9 : vector<4xf64>
      %s1_10 = arith.addf %s2_10, %s2_11 : vector<4xf64>
      %s1_11 = arith.subf %s2_10, %s2_11 : vector<4xf64>
      %s1_12 = arith.addf %s2_12, %s2_13 : vector<4xf64>
      %s1_13 = arith.subf %s2_12, %s2_13 : vector<4xf64>
      %s1_14 = arith.addf %s2_14, %s2_15 : vector<4xf64>
      %s1_15 = arith.subf %s2_14, %s2_15 : vector<4xf64>
      %f0 = affine.vector_load %f[%k, 0] : memref<4x64xf64>, vector<4xf64>
      %p0 = arith.mulf %s1_0, %f0 : vector<4xf64>
      %f1 = affine.vector_load %f[%k, 4] : memref<4x64xf64>, vector<4xf64>
      %p1 = arith.mulf %s1_1, %f1 : vector<4xf64>
      %f2 = affine.vector_load %f[%k, 8] : memref<4x64xf64>, vector<4xf64>
      %p2 = arith.mulf %s1_2, %f2 : vector<4xf64>
      %f3 = affine.vector_load %f[%k, 12] : memref<4x64xf64>, vector<4xf64>
      %p3 = arith.mulf %s1_3, %f3 : vector<4xf64>
      %f4 = affine.vector_load %f[%k, 16] : memref<4x64xf64>, vector<4xf64>
      %p4 = arith.mulf %s1_4, %f4 : vector<4xf64>
      %f5 = affine.vector_load %f[%k, 20] : memref<4x64xf64>, vector<4xf64>
      %p5 = arith.mulf %s1_5, %f5 : vector<4xf64>
      %f6 = affine.vector_load %f[%k, 24] : memref<4x64xf64>, vector<4xf64>
      %p6 = arith.mulf %s1_6, %f6 : vector<4xf64>
      %f7 = affine.vector_load %f[%k, 28] : memref<4x64xf64>, vector<4xf64>
      %p7 = arith.mulf %s1_7, %f7 : vector<4xf64>
      %f8 = affine.vector_load %f[%k, 32] : memref<4x64xf64>, vector<4xf64>
      %p8 = arith.mulf %s1_8, %f8 : vector<4xf64>
      %f9 = affine.vector_load %f[%k, 36] : memref<4x64xf64>, vector<4xf64>
      %p9 = arith.mulf %s1_9, %f9 : vector<4xf64>
      %f10 = affine.vector_load %f[%k, 40] : memref<4x64xf64>, vector<4xf64>
      %p10 = arith.mulf %s1_10, %f10 : vector<4xf64>
      %f11 = affine.vector_load %f[%k, 44] : memref<4x64xf64>, vector<4xf64>
      %p11 = arith.mulf %s1_11, %f11 : vector<4xf64>
      %f12 = affine.vector_load %f[%k, 48] : memref<4x64xf64>, vector<4xf64>
      %p12 = arith.mulf %s1_12, %f12 : vector<4xf64>
      %f13 = affine.vector_load %f[%k, 52] : memref<4x64xf64>, vector<4xf64>
      %p13 = arith.mulf %s1_13, %f13 : vector<4xf64>
      %f14 = affine.vector_load %f[%k, 56] : memref<4x64xf64>, vector<4xf64>
      %p14 = arith.mulf %s1_14, %f14 : vector<4xf64>
      %f15 = affine.vector_load %f[%k, 60] : memref<4x64xf64>, vector<4xf64>
      %p15 = arith.mulf %s1_15, %f15 : vector<4xf64>
      affine.vector_store %p0, %x[%k, 0] : memref<4x64xf64>, vector<4xf64>
      affine.vector_store %p1, %x[%k, 4] : memref<4x64xf64>, vector<4xf64>
      affine.vector_store %p2, %x[%k, 8] : memref<4x64xf64>, vector<4xf64>
      affine.vector_store %p3, %x[%k, 12] : memref<4x64xf64>, vector<4xf64>
      affine.vector_store %p4, %x[%k, 16] : memref<4x64xf64>, vector<4xf64>
      affine.vector_store %p5, %x[%k, 20] : memref<4x64xf64>, vector<4xf64>
      affine.vector_store %p6, %x[%k, 24] : memref<4x64xf64>, vector<4xf64>
      affine.vector_store %p7, %x[%k, 28] : memref<4x64xf64>, vector<4xf64>
      affine.vector_store %p8, %x[%k, 32] : memref<4x64xf64>, vector<4xf64>
      affine.vector_store %p9, %x[%k, 36] : memref<4x64xf64>, vector<4xf64>
      affine.vector_store %p10, %x[%k, 40] : memref<4x64xf64>, vector<4xf64>
      affine.vector_store %p11, %x[%k, 44] : memref<4x64xf64>, vector<4xf64>
      affine.vector_store %p12, %x[%k, 48] : memref<4x64xf64>, vector<4xf64>
      affine.vector_store %p13, %x[%k, 52] : memref<4x64xf64>, vector<4xf64>
      affine.vector_store %p14, %x[%k, 56] : memref<4x64xf64>, vector<4xf64>
      affine.vector_store %p15, %x[%k, 60] : memref<4x64xf64>, vector<4xf64>
    }
  }
  return
}
}
