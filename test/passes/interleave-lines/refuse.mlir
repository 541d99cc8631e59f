// Lines stay one after the other: @long has as many operations as a core looks ahead, @many_turns has stored long
// before it loads, @dependent reads what the line before wrote, @few has too few lines, @one_nest nothing to wait for, @sums carries a value.
// RUN: cat %target_avx512 %s | weft-opt - --interleave-lines | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --interleave-lines --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: rejected {{.*}}What="a loop: several turns beside each other", Why="328 operations a turn: a core that looks 320 ahead (reorder_window) has enough of one", operations=328
// NOTE: rejected {{.*}}Why="a nest of 8 turns: the next one's first find what they load stored", operations=64
// NOTE: rejected {{.*}}Why="it has 7 turns", operations=8
// NOTE-NOT: decided

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @long
// CHECK:         affine.for %{{.*}} = 0 to 64 {
// CHECK:           memref.alloca()
// CHECK-NOT:       memref.alloca
func.func @long(%x: memref<64x32xf64>, %y: memref<64x32xf64>) {
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
      %a21 = arith.mulf %a20, %a0 : vector<8xf64>
      %a22 = arith.addf %a21, %a0 : vector<8xf64>
      %a23 = arith.mulf %a22, %a0 : vector<8xf64>
      %a24 = arith.addf %a23, %a0 : vector<8xf64>
      %a25 = arith.mulf %a24, %a0 : vector<8xf64>
      %a26 = arith.addf %a25, %a0 : vector<8xf64>
      %a27 = arith.mulf %a26, %a0 : vector<8xf64>
      %a28 = arith.addf %a27, %a0 : vector<8xf64>
      %a29 = arith.mulf %a28, %a0 : vector<8xf64>
      %a30 = arith.addf %a29, %a0 : vector<8xf64>
      %a31 = arith.mulf %a30, %a0 : vector<8xf64>
      %a32 = arith.addf %a31, %a0 : vector<8xf64>
      %a33 = arith.mulf %a32, %a0 : vector<8xf64>
      %a34 = arith.addf %a33, %a0 : vector<8xf64>
      %a35 = arith.mulf %a34, %a0 : vector<8xf64>
      %a36 = arith.addf %a35, %a0 : vector<8xf64>
      %a37 = arith.mulf %a36, %a0 : vector<8xf64>
      %a38 = arith.addf %a37, %a0 : vector<8xf64>
      %a39 = arith.mulf %a38, %a0 : vector<8xf64>
      affine.vector_store %a39, %t[%p] : memref<32xf64>, vector<8xf64>
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
      %a21 = arith.mulf %a20, %a0 : vector<8xf64>
      %a22 = arith.addf %a21, %a0 : vector<8xf64>
      %a23 = arith.mulf %a22, %a0 : vector<8xf64>
      %a24 = arith.addf %a23, %a0 : vector<8xf64>
      %a25 = arith.mulf %a24, %a0 : vector<8xf64>
      %a26 = arith.addf %a25, %a0 : vector<8xf64>
      %a27 = arith.mulf %a26, %a0 : vector<8xf64>
      %a28 = arith.addf %a27, %a0 : vector<8xf64>
      %a29 = arith.mulf %a28, %a0 : vector<8xf64>
      %a30 = arith.addf %a29, %a0 : vector<8xf64>
      %a31 = arith.mulf %a30, %a0 : vector<8xf64>
      %a32 = arith.addf %a31, %a0 : vector<8xf64>
      %a33 = arith.mulf %a32, %a0 : vector<8xf64>
      %a34 = arith.addf %a33, %a0 : vector<8xf64>
      %a35 = arith.mulf %a34, %a0 : vector<8xf64>
      %a36 = arith.addf %a35, %a0 : vector<8xf64>
      %a37 = arith.mulf %a36, %a0 : vector<8xf64>
      %a38 = arith.addf %a37, %a0 : vector<8xf64>
      %a39 = arith.mulf %a38, %a0 : vector<8xf64>
      affine.vector_store %a39, %y[%line, %p] : memref<64x32xf64>, vector<8xf64>
    } {weft.independent}
  } {weft.independent, weft.parallel}
  return
}

// CHECK-LABEL: func.func @many_turns
// CHECK:         affine.for %{{.*}} = 0 to 64 {
// CHECK:           memref.alloca()
// CHECK-NOT:       memref.alloca
func.func @many_turns(%x: memref<64x64xf64>, %y: memref<64x64xf64>) {
  affine.for %line = 0 to 64 {
    %t = memref.alloca() : memref<64xf64>
    affine.for %p = 0 to 64 step 8 {
      %a0 = affine.vector_load %x[%line, %p] : memref<64x64xf64>, vector<8xf64>
      %a1 = arith.mulf %a0, %a0 : vector<8xf64>
      %a2 = arith.addf %a1, %a0 : vector<8xf64>
      affine.vector_store %a2, %t[%p] : memref<64xf64>, vector<8xf64>
    } {weft.independent}
    affine.for %p = 0 to 64 step 8 {
      %a0 = affine.vector_load %t[%p] : memref<64xf64>, vector<8xf64>
      %a1 = arith.mulf %a0, %a0 : vector<8xf64>
      %a2 = arith.addf %a1, %a0 : vector<8xf64>
      affine.vector_store %a2, %y[%line, %p] : memref<64x64xf64>, vector<8xf64>
    } {weft.independent}
  } {weft.independent, weft.parallel}
  return
}

// CHECK-LABEL: func.func @dependent
// CHECK:         affine.for %{{.*}} = 1 to 64 {
func.func @dependent(%y: memref<64x16xf64>) {
  affine.for %line = 1 to 64 {
    %t = memref.alloca() : memref<16xf64>
    affine.for %p = 0 to 16 step 8 {
      %a = affine.vector_load %y[%line - 1, %p] : memref<64x16xf64>, vector<8xf64>
      affine.vector_store %a, %t[%p] : memref<16xf64>, vector<8xf64>
    } {weft.independent}
    affine.for %p = 0 to 16 step 8 {
      %a = affine.vector_load %t[%p] : memref<16xf64>, vector<8xf64>
      affine.vector_store %a, %y[%line, %p] : memref<64x16xf64>, vector<8xf64>
    } {weft.independent}
  }
  return
}

// CHECK-LABEL: func.func @few
// CHECK:         affine.for %{{.*}} = 0 to 7 {
func.func @few(%x: memref<7x16xf64>, %y: memref<7x16xf64>) {
  affine.for %line = 0 to 7 {
    %t = memref.alloca() : memref<16xf64>
    affine.for %p = 0 to 16 step 8 {
      %a = affine.vector_load %x[%line, %p] : memref<7x16xf64>, vector<8xf64>
      affine.vector_store %a, %t[%p] : memref<16xf64>, vector<8xf64>
    } {weft.independent}
    affine.for %p = 0 to 16 step 8 {
      %a = affine.vector_load %t[%p] : memref<16xf64>, vector<8xf64>
      affine.vector_store %a, %y[%line, %p] : memref<7x16xf64>, vector<8xf64>
    } {weft.independent}
  } {weft.independent}
  return
}

// CHECK-LABEL: func.func @one_nest
// CHECK:         affine.for %{{.*}} = 0 to 64 {
func.func @one_nest(%x: memref<64x16xf64>, %y: memref<64x16xf64>) {
  affine.for %line = 0 to 64 {
    affine.for %p = 0 to 16 step 8 {
      %a = affine.vector_load %x[%line, %p] : memref<64x16xf64>, vector<8xf64>
      affine.vector_store %a, %y[%line, %p] : memref<64x16xf64>, vector<8xf64>
    } {weft.independent}
  } {weft.independent}
  return
}

// CHECK-LABEL: func.func @sums
// CHECK:         affine.for %{{.*}} = 0 to 64 {
func.func @sums(%x: memref<64x16xf64>, %y: memref<64x16xf64>) {
  %zero = arith.constant dense<0.0> : vector<8xf64>
  affine.for %line = 0 to 64 {
    %t = memref.alloca() : memref<16xf64>
    affine.for %p = 0 to 16 step 8 {
      %a = affine.vector_load %x[%line, %p] : memref<64x16xf64>, vector<8xf64>
      affine.vector_store %a, %t[%p] : memref<16xf64>, vector<8xf64>
    } {weft.independent}
    %sum = affine.for %p = 0 to 16 step 8 iter_args(%s = %zero) -> vector<8xf64> {
      %a = affine.vector_load %t[%p] : memref<16xf64>, vector<8xf64>
      %b = arith.addf %s, %a : vector<8xf64>
      affine.yield %b : vector<8xf64>
    }
    affine.vector_store %sum, %y[%line, 0] : memref<64x16xf64>, vector<8xf64>
  } {weft.independent}
  return
}
}
