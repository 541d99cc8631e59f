// Without the pipes in the target's table nothing moves; nor where a later turn reads what an earlier one has stored, nor
// where no shuffle is.
// RUN: sed 's/vector_bytes/wide_pipes = array<i64: 3, 2, 12, 4, 2, 3, 1, 2, 14, 4, 2, 6, 1, 2, 15, 7, 1, 16, 1, 2, 32>, vector_bytes/' %target_avx512 > %t
// RUN: cat %t %s | weft-opt - --overlap-turns | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --overlap-turns | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @in_place
// CHECK-NOT:     iter_args
func.func @in_place(%x: memref<512xf64>) {
  affine.for %i = 0 to 128 step 8 {
    %a = affine.vector_load %x[%i] : memref<512xf64>, vector<8xf64>
    %b = affine.vector_load %x[%i + 8] : memref<512xf64>, vector<8xf64>
    %s = arith.addf %a, %b : vector<8xf64>
    %l = vector.shuffle %s, %a [0, 8, 2, 10, 4, 12, 6, 14] : vector<8xf64>, vector<8xf64>
    affine.vector_store %l, %x[%i + 8] : memref<512xf64>, vector<8xf64>
  }
  return
}

// CHECK-LABEL: func.func @sums
// CHECK:         affine.for
// CHECK-NEXT:      affine.vector_load
// CHECK-NEXT:      arith.addf
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      affine.vector_store
func.func @sums(%x: memref<512xf64>, %y: memref<512xf64>) {
  affine.for %i = 0 to 128 step 8 {
    %a = affine.vector_load %x[%i] : memref<512xf64>, vector<8xf64>
    %s = arith.addf %a, %a : vector<8xf64>
    %m = arith.mulf %s, %a : vector<8xf64>
    affine.vector_store %m, %y[%i] : memref<512xf64>, vector<8xf64>
  }
  return
}
}
