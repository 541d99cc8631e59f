// Lines stay one after the other: @long has as many operations as a core looks ahead, @dependent reads what
// the line before wrote, @few has too few lines, @one_nest nothing to wait for, @sums carries a value.
// RUN: cat %target_avx512 %s | weft-opt - --interleave-lines | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --interleave-lines --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: rejected {{.*}}What="a loop: several turns beside each other", Why="384 operations a turn: a core that looks 320 ahead (reorder_window) has enough of one", operations=384
// NOTE: rejected {{.*}}Why="it has 7 turns", operations=8
// NOTE-NOT: decided

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @long
// CHECK:         affine.for %{{.*}} = 0 to 64 {
// CHECK:           memref.alloca()
// CHECK-NOT:       memref.alloca
func.func @long(%x: memref<64x512xf64>, %y: memref<64x512xf64>) {
  affine.for %line = 0 to 64 {
    %t = memref.alloca() : memref<512xf64>
    affine.for %p = 0 to 512 step 8 {
      %a = affine.vector_load %x[%line, %p] : memref<64x512xf64>, vector<8xf64>
      %s = arith.addf %a, %a : vector<8xf64>
      affine.vector_store %s, %t[%p] : memref<512xf64>, vector<8xf64>
    } {weft.independent}
    affine.for %p = 0 to 512 step 8 {
      %a = affine.vector_load %t[%p] : memref<512xf64>, vector<8xf64>
      %s = arith.addf %a, %a : vector<8xf64>
      affine.vector_store %s, %y[%line, %p] : memref<64x512xf64>, vector<8xf64>
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
