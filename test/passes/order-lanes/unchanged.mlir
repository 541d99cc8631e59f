// Other shuffles stay, and vectors of 16 bytes, in which nothing is crossed.
// RUN: cat %target_avx512 %s | weft-opt - --order-lanes | FileCheck %s

// CHECK-LABEL: func.func @reversed
// CHECK:         vector.shuffle {{.*}} [14, 12, 10, 8, 6, 4, 2, 0]
// CHECK:         vector.shuffle {{.*}} [0, 2]
module attributes {weft.target = #target} {
func.func @reversed(%x: memref<8x2xf64>, %y: memref<10xf64>) {
  %low = affine.vector_load %x[0, 0] : memref<8x2xf64>, vector<8xf64>
  %high = affine.vector_load %x[4, 0] : memref<8x2xf64>, vector<8xf64>
  %re = vector.shuffle %low, %high [14, 12, 10, 8, 6, 4, 2, 0] : vector<8xf64>, vector<8xf64>
  affine.vector_store %re, %y[0] : memref<10xf64>, vector<8xf64>
  %pair = affine.vector_load %x[0, 0] : memref<8x2xf64>, vector<2xf64>
  %next = affine.vector_load %x[1, 0] : memref<8x2xf64>, vector<2xf64>
  %two = vector.shuffle %pair, %next [0, 2] : vector<2xf64>, vector<2xf64>
  affine.vector_store %two, %y[8] : memref<10xf64>, vector<2xf64>
  return
}
}
