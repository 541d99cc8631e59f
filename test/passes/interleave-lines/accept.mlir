// Four lines of few operations go together, each in an array of its own, and are written out: all
// that fill, then all that read. Of longer ones, two go together. Lines that are left over stay by themselves.
// RUN: cat %target_avx512 %s | weft-opt - --interleave-lines --canonicalize | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --interleave-lines --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}What="a loop: 4 turns beside each other", Why="18 operations a turn, in 2 nests: a core that looks 320 ahead (reorder_window) would wait for one", operations=18, turns=4
// NOTE: decided {{.*}}2 turns beside each other", {{.*}}operations=176, turns=2

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @short
// CHECK:         affine.for %[[I:.*]] = 0 to 64 step 4 {
// CHECK-DAG:       %[[A:.*]] = memref.alloca() : memref<16xf64>
// CHECK-DAG:       %[[B:.*]] = memref.alloca() : memref<16xf64>
// CHECK-DAG:       %[[C:.*]] = memref.alloca() : memref<16xf64>
// CHECK-DAG:       %[[D:.*]] = memref.alloca() : memref<16xf64>
// CHECK-NOT:       affine.for
// CHECK:           affine.vector_load %arg0[%[[I]], 0]
// CHECK:           affine.vector_load %arg0[%[[I]] + 1, 0]
// CHECK:           affine.vector_load %arg0[%[[I]] + 2, 0]
// CHECK:           affine.vector_load %arg0[%[[I]] + 3, 0]
// CHECK:           affine.vector_load %arg0[%[[I]], 8]
// CHECK:           affine.vector_load %arg0[%[[I]] + 3, 8]
// CHECK-NOT:       %arg0
// CHECK:           affine.vector_store %{{.*}}, %arg1[%[[I]], 0]
// CHECK:           affine.vector_store %{{.*}}, %arg1[%[[I]] + 1, 0]
// CHECK:           affine.vector_store %{{.*}}, %arg1[%[[I]] + 2, 0]
// CHECK:           affine.vector_store %{{.*}}, %arg1[%[[I]] + 3, 0]
// CHECK:           affine.vector_store %{{.*}}, %arg1[%[[I]] + 3, 8]
// CHECK:         } {weft.independent, weft.parallel}
// CHECK:         affine.for %{{.*}} = 64 to 66 {
func.func @short(%x: memref<66x16xf64>, %y: memref<66x16xf64>) {
  affine.for %line = 0 to 66 {
    %t = memref.alloca() : memref<16xf64>
    affine.for %p = 0 to 16 step 8 {
      %a = affine.vector_load %x[%line, %p] : memref<66x16xf64>, vector<8xf64>
      %s = arith.addf %a, %a : vector<8xf64>
      affine.vector_store %s, %t[%p] : memref<16xf64>, vector<8xf64>
    } {weft.independent}
    affine.for %p = 0 to 16 step 8 {
      %a = affine.vector_load %t[%p] : memref<16xf64>, vector<8xf64>
      %b = affine.vector_load %t[(%p + 8) mod 16] : memref<16xf64>, vector<8xf64>
      %s = arith.addf %a, %b : vector<8xf64>
      %q = arith.mulf %s, %b : vector<8xf64>
      %r = arith.subf %q, %b : vector<8xf64>
      affine.vector_store %r, %y[%line, %p] : memref<66x16xf64>, vector<8xf64>
    } {weft.independent}
  } {weft.independent, weft.parallel}
  return
}

// CHECK-LABEL: func.func @longer
// CHECK:         affine.for %[[I:.*]] = 0 to 64 step 2 {
// CHECK-NOT:       affine.for
// CHECK:           affine.vector_load %arg0[%[[I]], 0]
// CHECK:           affine.vector_load %arg0[%[[I]] + 1, 0]
func.func @longer(%x: memref<64x32xf64>, %y: memref<64x32xf64>) {
  affine.for %line = 0 to 64 {
    %t = memref.alloca() : memref<32xf64>
    affine.for %p = 0 to 32 step 8 {
      %a0 = affine.vector_load %x[%line, %p] : memref<64x32xf64>, vector<8xf64>
      %a1 = arith.mulf %a0, %a0 : vector<8xf64>
      %a2 = arith.addf %a1, %a0 : vector<8xf64>
      %a3 = arith.mulf %a2, %a0 : vector<8xf64>
      %a4 = arith.addf %a3, %a0 : vector<8xf64>
      %a5 = arith.mulf %a4, %a0 : vector<8xf64>
      %a6 = arith.addf %a5, %a0 : vector<8xf64>
      %a7 = arith.mulf %a6, %a0 : vector<8xf64>
      %a8 = arith.addf %a7, %a0 : vector<8xf64>
      %a9 = arith.mulf %a8, %a0 : vector<8xf64>
      %a10 = arith.addf %a9, %a0 : vector<8xf64>
      %a11 = arith.mulf %a10, %a0 : vector<8xf64>
      %a12 = arith.addf %a11, %a0 : vector<8xf64>
      %a13 = arith.mulf %a12, %a0 : vector<8xf64>
      %a14 = arith.addf %a13, %a0 : vector<8xf64>
      %a15 = arith.mulf %a14, %a0 : vector<8xf64>
      %a16 = arith.addf %a15, %a0 : vector<8xf64>
      %a17 = arith.mulf %a16, %a0 : vector<8xf64>
      %a18 = arith.addf %a17, %a0 : vector<8xf64>
      %a19 = arith.mulf %a18, %a0 : vector<8xf64>
      %a20 = arith.addf %a19, %a0 : vector<8xf64>
      affine.vector_store %a20, %t[%p] : memref<32xf64>, vector<8xf64>
    } {weft.independent}
    affine.for %p = 0 to 32 step 8 {
      %a0 = affine.vector_load %t[%p] : memref<32xf64>, vector<8xf64>
      %a1 = arith.mulf %a0, %a0 : vector<8xf64>
      %a2 = arith.addf %a1, %a0 : vector<8xf64>
      %a3 = arith.mulf %a2, %a0 : vector<8xf64>
      %a4 = arith.addf %a3, %a0 : vector<8xf64>
      %a5 = arith.mulf %a4, %a0 : vector<8xf64>
      %a6 = arith.addf %a5, %a0 : vector<8xf64>
      %a7 = arith.mulf %a6, %a0 : vector<8xf64>
      %a8 = arith.addf %a7, %a0 : vector<8xf64>
      %a9 = arith.mulf %a8, %a0 : vector<8xf64>
      %a10 = arith.addf %a9, %a0 : vector<8xf64>
      %a11 = arith.mulf %a10, %a0 : vector<8xf64>
      %a12 = arith.addf %a11, %a0 : vector<8xf64>
      %a13 = arith.mulf %a12, %a0 : vector<8xf64>
      %a14 = arith.addf %a13, %a0 : vector<8xf64>
      %a15 = arith.mulf %a14, %a0 : vector<8xf64>
      %a16 = arith.addf %a15, %a0 : vector<8xf64>
      %a17 = arith.mulf %a16, %a0 : vector<8xf64>
      %a18 = arith.addf %a17, %a0 : vector<8xf64>
      %a19 = arith.mulf %a18, %a0 : vector<8xf64>
      %a20 = arith.addf %a19, %a0 : vector<8xf64>
      affine.vector_store %a20, %y[%line, %p] : memref<64x32xf64>, vector<8xf64>
    } {weft.independent}
  } {weft.independent, weft.parallel}
  return
}
}
