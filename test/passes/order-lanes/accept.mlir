// Parts that only meet each other, between loads and stores of pairs, are split and joined within
// 16 bytes: through an array of the kernel's own, sums that a loop carries, and what all lanes have.
// RUN: cat %target_avx512 %s | weft-opt - --order-lanes | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --order-lanes --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}What="4 of 4 shuffles of parts within 16 bytes", Why="no other order meets theirs between loads and stores of pairs", shuffles=4

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @through_an_array
// CHECK:         vector.shuffle {{.*}} [0, 8, 2, 10, 4, 12, 6, 14]
// CHECK:         vector.shuffle {{.*}} [1, 9, 3, 11, 5, 13, 7, 15]
// CHECK:         vector.shuffle {{.*}} [0, 8, 2, 10, 4, 12, 6, 14]
// CHECK:         vector.shuffle {{.*}} [1, 9, 3, 11, 5, 13, 7, 15]
func.func @through_an_array(%x: memref<4x8x2xf64>, %w: memref<2xf64>, %y: memref<4x8x2xf64>) {
  %t = memref.alloca() : memref<4x2x8xf64>
  %one = affine.load %w[0] : memref<2xf64>
  %all = vector.broadcast %one : f64 to vector<8xf64>
  affine.for %i = 0 to 4 {
    %low = affine.vector_load %x[%i, 0, 0] : memref<4x8x2xf64>, vector<8xf64>
    %high = affine.vector_load %x[%i, 4, 0] : memref<4x8x2xf64>, vector<8xf64>
    %re = vector.shuffle %low, %high [0, 2, 4, 6, 8, 10, 12, 14] : vector<8xf64>, vector<8xf64>
    %im = vector.shuffle %low, %high [1, 3, 5, 7, 9, 11, 13, 15] : vector<8xf64>, vector<8xf64>
    %sum = arith.addf %re, %im : vector<8xf64>
    %turned = math.fma %im, %all, %sum : vector<8xf64>
    affine.vector_store %sum, %t[%i, 0, 0] : memref<4x2x8xf64>, vector<8xf64>
    affine.vector_store %turned, %t[%i, 1, 0] : memref<4x2x8xf64>, vector<8xf64>
  }
  %zero = arith.constant dense<0.0> : vector<8xf64>
  %sums:2 = affine.for %i = 0 to 4 iter_args(%r = %zero, %s = %zero) -> (vector<8xf64>, vector<8xf64>) {
    %re = affine.vector_load %t[%i, 0, 0] : memref<4x2x8xf64>, vector<8xf64>
    %im = affine.vector_load %t[%i, 1, 0] : memref<4x2x8xf64>, vector<8xf64>
    %nr = arith.addf %r, %re : vector<8xf64>
    %ns = arith.subf %s, %im : vector<8xf64>
    affine.yield %nr, %ns : vector<8xf64>, vector<8xf64>
  }
  %first = vector.shuffle %sums#0, %sums#1 [0, 8, 1, 9, 2, 10, 3, 11] : vector<8xf64>, vector<8xf64>
  %second = vector.shuffle %sums#0, %sums#1 [4, 12, 5, 13, 6, 14, 7, 15] : vector<8xf64>, vector<8xf64>
  affine.vector_store %first, %y[0, 0, 0] : memref<4x8x2xf64>, vector<8xf64>
  affine.vector_store %second, %y[0, 4, 0] : memref<4x8x2xf64>, vector<8xf64>
  return
}

// CHECK-LABEL: func.func @single_precision
// CHECK:         vector.shuffle {{.*}} [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30]
// CHECK:         vector.shuffle {{.*}} [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31]
// CHECK:         vector.shuffle {{.*}} [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31]
func.func @single_precision(%x: memref<16x2xf32>, %y: memref<16x2xf32>) {
  %low = affine.vector_load %x[0, 0] : memref<16x2xf32>, vector<16xf32>
  %high = affine.vector_load %x[8, 0] : memref<16x2xf32>, vector<16xf32>
  %re = vector.shuffle %low, %high [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30] : vector<16xf32>, vector<16xf32>
  %im = vector.shuffle %low, %high [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31] : vector<16xf32>, vector<16xf32>
  %second = vector.shuffle %im, %re [8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31] : vector<16xf32>, vector<16xf32>
  affine.vector_store %second, %y[8, 0] : memref<16x2xf32>, vector<16xf32>
  return
}
}
