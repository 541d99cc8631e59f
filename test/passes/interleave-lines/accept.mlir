// Four lines of few operations go together, each in an array of its own, and are written out: all
// that fill, then all that read. Of longer ones, two go together. Lines that are left over stay by themselves.
// RUN: cat %target_avx512 %s | weft-opt - --interleave-lines --canonicalize | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --interleave-lines --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}What="a loop: 4 turns beside each other", Why="18 operations a turn, in 2 nests: a core that looks 320 ahead (reorder_window) would wait for one", operations=18, turns=4
// NOTE: decided {{.*}}2 turns beside each other", {{.*}}operations=180, turns=2

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
func.func @longer(%x: memref<64x240xf64>, %y: memref<64x240xf64>) {
  affine.for %line = 0 to 64 {
    %t = memref.alloca() : memref<240xf64>
    affine.for %p = 0 to 240 step 8 {
      %a = affine.vector_load %x[%line, %p] : memref<64x240xf64>, vector<8xf64>
      %s = arith.addf %a, %a : vector<8xf64>
      affine.vector_store %s, %t[%p] : memref<240xf64>, vector<8xf64>
    } {weft.independent}
    affine.for %p = 0 to 240 step 8 {
      %a = affine.vector_load %t[%p] : memref<240xf64>, vector<8xf64>
      %s = arith.addf %a, %a : vector<8xf64>
      affine.vector_store %s, %y[%line, %p] : memref<64x240xf64>, vector<8xf64>
    } {weft.independent}
  } {weft.independent, weft.parallel}
  return
}
}
