// What only shuffles of two vectors lie between and the stores goes a turn later, among the arithmetic of the next turn;
// a loop whose turns threads share is put in order, and carries nothing.
// RUN: sed 's/vector_bytes/wide_pipes = array<i64: 3, 2, 12, 4, 2, 3, 1, 2, 14, 4, 2, 6, 1, 2, 15, 7, 1, 16, 1, 2, 32>, vector_bytes/' %target_avx512 > %t
// RUN: cat %t %s | weft-opt - --overlap-turns | FileCheck %s
// RUN: cat %t %s | weft-opt - --overlap-turns --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}results turned and stored a turn later{{.*}}stages=2

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @turned
// CHECK:         affine.vector_load %arg0[0]
// CHECK-NOT:     affine.vector_store
// CHECK:         %[[E:.*]]:{{.*}} = affine.for %[[I:.*]] = 0 to 120 step 8 iter_args(
// CHECK-DAG:       affine.vector_load %arg0[%[[I]] + 8]
// CHECK-DAG:       affine.vector_store {{.*}}, %arg1[%[[I]]]
// CHECK-DAG:       affine.vector_store {{.*}}, %arg1[%[[I]] + 256]
// CHECK:           affine.yield
// CHECK:         vector.shuffle %[[E]]#
// CHECK:         affine.vector_store {{.*}}, %arg1[120]
// CHECK:         affine.vector_store {{.*}}, %arg1[376]
// CHECK-NOT:     affine.vector_load
// CHECK:         return
func.func @turned(%x: memref<512xf64>, %y: memref<512xf64>) {
  affine.for %i = 0 to 128 step 8 {
    %a = affine.vector_load %x[%i] : memref<512xf64>, vector<8xf64>
    %b = affine.vector_load %x[%i + 128] : memref<512xf64>, vector<8xf64>
    %s = arith.addf %a, %b : vector<8xf64>
    %d = arith.subf %a, %b : vector<8xf64>
    %q = arith.mulf %d, %d : vector<8xf64>
    %r = arith.mulf %q, %s : vector<8xf64>
    %p = arith.mulf %r, %q : vector<8xf64>
    %l = vector.shuffle %s, %p [0, 8, 2, 10, 4, 12, 6, 14] : vector<8xf64>, vector<8xf64>
    %h = vector.shuffle %s, %p [1, 9, 3, 11, 5, 13, 7, 15] : vector<8xf64>, vector<8xf64>
    %u = vector.shuffle %l, %h [0, 1, 4, 5, 8, 9, 12, 13] : vector<8xf64>, vector<8xf64>
    %v = vector.shuffle %l, %h [2, 3, 6, 7, 10, 11, 14, 15] : vector<8xf64>, vector<8xf64>
    affine.vector_store %u, %y[%i] : memref<512xf64>, vector<8xf64>
    affine.vector_store %v, %y[%i + 256] : memref<512xf64>, vector<8xf64>
  }
  return
}

// CHECK-LABEL: func.func @shared
// CHECK-NOT:     iter_args
func.func @shared(%x: memref<512xf64>, %y: memref<512xf64>) {
  affine.for %i = 0 to 128 step 8 {
    %a = affine.vector_load %x[%i] : memref<512xf64>, vector<8xf64>
    %b = affine.vector_load %x[%i + 128] : memref<512xf64>, vector<8xf64>
    %s = arith.addf %a, %b : vector<8xf64>
    %d = arith.subf %a, %b : vector<8xf64>
    %q = arith.mulf %d, %d : vector<8xf64>
    %r = arith.mulf %q, %s : vector<8xf64>
    %p = arith.mulf %r, %q : vector<8xf64>
    %l = vector.shuffle %s, %p [0, 8, 2, 10, 4, 12, 6, 14] : vector<8xf64>, vector<8xf64>
    %h = vector.shuffle %s, %p [1, 9, 3, 11, 5, 13, 7, 15] : vector<8xf64>, vector<8xf64>
    affine.vector_store %l, %y[%i] : memref<512xf64>, vector<8xf64>
    affine.vector_store %h, %y[%i + 256] : memref<512xf64>, vector<8xf64>
  } {weft.parallel}
  return
}
}
