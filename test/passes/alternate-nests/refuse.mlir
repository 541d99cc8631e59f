// Nests keep their order where their turns have one, where the first one leaves elements out, where a
// part of the second one needs what other parts of the first one give, where a third nest reads the
// array as well, where the first nest reads of the result what other parts write, where parts
// would be less than four, and where both have a loop over the same lines and no other; and, with a
// reason, where the smallest part is more than half of the first cache.
// RUN: cat %target_avx512 %s | weft-opt - --alternate-nests | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --alternate-nests --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE-NOT: decided
// NOTE: rejected {{.*}}What="nests that fill and read a value of type memref<65536xf64> take turns", Why="the smallest part has 32768 bytes, half of 32768 (l1d_bytes) is allowed", bytes=32768
// NOTE-NOT: decided

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @in_order
// CHECK:         memref.alloca() : memref<8192xf64>
// CHECK-NOT:     memref.alloca
func.func @in_order(%x: memref<8192xf64>, %y: memref<8192xf64>) {
  %t = memref.alloca() : memref<8192xf64>
  affine.for %p = 0 to 8192 step 8 {
    %a = affine.vector_load %x[%p] : memref<8192xf64>, vector<8xf64>
    affine.vector_store %a, %t[%p] : memref<8192xf64>, vector<8xf64>
  }
  affine.for %p = 0 to 4096 step 8 {
    %a = affine.vector_load %t[%p] : memref<8192xf64>, vector<8xf64>
    %b = affine.vector_load %t[%p + 4096] : memref<8192xf64>, vector<8xf64>
    %s = arith.addf %a, %b : vector<8xf64>
    affine.vector_store %s, %y[%p] : memref<8192xf64>, vector<8xf64>
  }
  return
}

// CHECK-LABEL: func.func @left_out
// CHECK:         memref.alloca() : memref<8192xf64>
// CHECK-NOT:     memref.alloca
func.func @left_out(%x: memref<8192xf64>, %y: memref<8192xf64>) {
  %t = memref.alloca() : memref<8192xf64>
  affine.for %p = 0 to 8184 step 8 {
    %a = affine.vector_load %x[%p] : memref<8192xf64>, vector<8xf64>
    affine.vector_store %a, %t[%p] : memref<8192xf64>, vector<8xf64>
  } {weft.independent}
  affine.for %p = 0 to 4096 step 8 {
    %a = affine.vector_load %t[%p] : memref<8192xf64>, vector<8xf64>
    %b = affine.vector_load %t[%p + 4096] : memref<8192xf64>, vector<8xf64>
    %s = arith.addf %a, %b : vector<8xf64>
    affine.vector_store %s, %y[%p] : memref<8192xf64>, vector<8xf64>
  } {weft.independent}
  return
}

// The second vector is of the part before.
// CHECK-LABEL: func.func @beside
// CHECK:         memref.alloca() : memref<8192xf64>
// CHECK-NOT:     memref.alloca
func.func @beside(%x: memref<8192xf64>, %y: memref<8192xf64>) {
  %t = memref.alloca() : memref<8192xf64>
  affine.for %p = 0 to 8192 step 8 {
    %a = affine.vector_load %x[%p] : memref<8192xf64>, vector<8xf64>
    affine.vector_store %a, %t[%p] : memref<8192xf64>, vector<8xf64>
  } {weft.independent}
  affine.for %p = 0 to 4096 step 8 {
    %a = affine.vector_load %t[%p] : memref<8192xf64>, vector<8xf64>
    %b = affine.vector_load %t[%p + 4088] : memref<8192xf64>, vector<8xf64>
    %s = arith.addf %a, %b : vector<8xf64>
    affine.vector_store %s, %y[%p] : memref<8192xf64>, vector<8xf64>
  } {weft.independent}
  return
}

// CHECK-LABEL: func.func @read_again
// CHECK:         memref.alloca() : memref<8192xf64>
// CHECK-NOT:     memref.alloca
func.func @read_again(%x: memref<8192xf64>, %y: memref<8192xf64>) {
  %t = memref.alloca() : memref<8192xf64>
  affine.for %p = 0 to 8192 step 8 {
    %a = affine.vector_load %x[%p] : memref<8192xf64>, vector<8xf64>
    affine.vector_store %a, %t[%p] : memref<8192xf64>, vector<8xf64>
  } {weft.independent}
  affine.for %p = 0 to 4096 step 8 {
    %a = affine.vector_load %t[%p] : memref<8192xf64>, vector<8xf64>
    %b = affine.vector_load %t[%p + 4096] : memref<8192xf64>, vector<8xf64>
    %s = arith.addf %a, %b : vector<8xf64>
    affine.vector_store %s, %y[%p] : memref<8192xf64>, vector<8xf64>
  } {weft.independent}
  affine.for %p = 0 to 8192 step 8 {
    %a = affine.vector_load %t[%p] : memref<8192xf64>, vector<8xf64>
    affine.vector_store %a, %y[%p] : memref<8192xf64>, vector<8xf64>
  } {weft.independent}
  return
}

// A part writes what the next part of the first nest reads.
// CHECK-LABEL: func.func @result_elsewhere
// CHECK:         memref.alloca() : memref<8192xf64>
// CHECK-NOT:     memref.alloca
func.func @result_elsewhere(%x: memref<8192xf64>, %y: memref<8192xf64>) {
  %t = memref.alloca() : memref<8192xf64>
  affine.for %p = 0 to 8192 step 8 {
    %a = affine.vector_load %y[%p] : memref<8192xf64>, vector<8xf64>
    affine.vector_store %a, %t[%p] : memref<8192xf64>, vector<8xf64>
  } {weft.independent}
  affine.for %p = 0 to 2048 step 8 {
    %a = affine.vector_load %t[%p] : memref<8192xf64>, vector<8xf64>
    %b = affine.vector_load %t[%p + 2048] : memref<8192xf64>, vector<8xf64>
    %s = arith.addf %a, %b : vector<8xf64>
    affine.vector_store %s, %y[%p + 8] : memref<8192xf64>, vector<8xf64>
  } {weft.independent}
  return
}

// CHECK-LABEL: func.func @few
// CHECK:         memref.alloca() : memref<8192xf64>
// CHECK-NOT:     memref.alloca
func.func @few(%x: memref<8192xf64>, %y: memref<8192xf64>) {
  %t = memref.alloca() : memref<8192xf64>
  affine.for %p = 0 to 8192 step 8 {
    %a = affine.vector_load %x[%p] : memref<8192xf64>, vector<8xf64>
    affine.vector_store %a, %t[%p] : memref<8192xf64>, vector<8xf64>
  } {weft.independent}
  affine.for %p = 0 to 16 step 8 {
    %a = affine.vector_load %t[%p] : memref<8192xf64>, vector<8xf64>
    %b = affine.vector_load %t[%p + 16] : memref<8192xf64>, vector<8xf64>
    %s = arith.addf %a, %b : vector<8xf64>
    affine.vector_store %s, %y[%p] : memref<8192xf64>, vector<8xf64>
  } {weft.independent}
  return
}

// CHECK-LABEL: func.func @lines
// CHECK:         memref.alloca() : memref<8192xf64>
// CHECK-NOT:     memref.alloca
func.func @lines(%x: memref<8192xf64>, %y: memref<8192xf64>) {
  %t = memref.alloca() : memref<8192xf64>
  affine.for %p = 0 to 8192 step 8 {
    %a = affine.vector_load %x[%p] : memref<8192xf64>, vector<8xf64>
    affine.vector_store %a, %t[%p] : memref<8192xf64>, vector<8xf64>
  } {weft.independent}
  affine.for %p = 0 to 8192 step 8 {
    %a = affine.vector_load %t[%p] : memref<8192xf64>, vector<8xf64>
    %b = affine.vector_load %t[%p] : memref<8192xf64>, vector<8xf64>
    %s = arith.addf %a, %b : vector<8xf64>
    affine.vector_store %s, %y[%p] : memref<8192xf64>, vector<8xf64>
  } {weft.independent}
  return
}

// CHECK-LABEL: func.func @large
// CHECK:         memref.alloca() : memref<65536xf64>
// CHECK-NOT:     memref.alloca
func.func @large(%x: memref<65536xf64>, %y: memref<65536xf64>) {
  %t = memref.alloca() : memref<65536xf64>
  affine.for %p = 0 to 65536 step 8 {
    %a = affine.vector_load %x[%p] : memref<65536xf64>, vector<8xf64>
    affine.vector_store %a, %t[%p] : memref<65536xf64>, vector<8xf64>
  } {weft.independent}
  affine.for %p = 0 to 128 step 8 {
    %a = affine.vector_load %t[%p] : memref<65536xf64>, vector<8xf64>
    %b = affine.vector_load %t[%p + 128] : memref<65536xf64>, vector<8xf64>
    %s = arith.addf %a, %b : vector<8xf64>
    affine.vector_store %s, %y[%p] : memref<65536xf64>, vector<8xf64>
  } {weft.independent}
  return
}
}
