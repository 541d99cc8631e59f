// Parts that meet a vector of an argument, a lane on its own, or an array some of whose vectors lie
// across the others keep the order of memory.
// RUN: cat %target_avx512 %s | weft-opt - --order-lanes | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --order-lanes --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: rejected {{.*}}What="1 of 1 shuffles of parts within 16 bytes", Why="their vectors meet others whose lanes are in order of memory", shuffles=1

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @argument
// CHECK:         vector.shuffle {{.*}} [0, 2, 4, 6, 8, 10, 12, 14]
func.func @argument(%x: memref<8x2xf64>, %d: memref<8xf64>, %y: memref<8xf64>) {
  %low = affine.vector_load %x[0, 0] : memref<8x2xf64>, vector<8xf64>
  %high = affine.vector_load %x[4, 0] : memref<8x2xf64>, vector<8xf64>
  %re = vector.shuffle %low, %high [0, 2, 4, 6, 8, 10, 12, 14] : vector<8xf64>, vector<8xf64>
  %by = affine.vector_load %d[0] : memref<8xf64>, vector<8xf64>
  %product = arith.mulf %re, %by : vector<8xf64>
  affine.vector_store %product, %y[0] : memref<8xf64>, vector<8xf64>
  return
}

// CHECK-LABEL: func.func @lane_on_its_own
// CHECK:         vector.shuffle {{.*}} [0, 2, 4, 6, 8, 10, 12, 14]
func.func @lane_on_its_own(%x: memref<8x2xf64>, %y: memref<8xf64>) {
  %low = affine.vector_load %x[0, 0] : memref<8x2xf64>, vector<8xf64>
  %high = affine.vector_load %x[4, 0] : memref<8x2xf64>, vector<8xf64>
  %re = vector.shuffle %low, %high [0, 2, 4, 6, 8, 10, 12, 14] : vector<8xf64>, vector<8xf64>
  %third = vector.extract %re[2] : f64 from vector<8xf64>
  affine.store %third, %y[0] : memref<8xf64>
  return
}

// CHECK-LABEL: func.func @element_of_an_array
// CHECK:         vector.shuffle {{.*}} [0, 2, 4, 6, 8, 10, 12, 14]
// CHECK:         vector.shuffle {{.*}} [1, 3, 5, 7, 9, 11, 13, 15]
// CHECK:         vector.shuffle {{.*}} [0, 8, 1, 9, 2, 10, 3, 11]
func.func @element_of_an_array(%x: memref<8x2xf64>, %y: memref<8x2xf64>, %z: memref<1xf64>) {
  %t = memref.alloca() : memref<2x8xf64>
  %low = affine.vector_load %x[0, 0] : memref<8x2xf64>, vector<8xf64>
  %high = affine.vector_load %x[4, 0] : memref<8x2xf64>, vector<8xf64>
  %re = vector.shuffle %low, %high [0, 2, 4, 6, 8, 10, 12, 14] : vector<8xf64>, vector<8xf64>
  %im = vector.shuffle %low, %high [1, 3, 5, 7, 9, 11, 13, 15] : vector<8xf64>, vector<8xf64>
  affine.vector_store %re, %t[0, 0] : memref<2x8xf64>, vector<8xf64>
  affine.vector_store %im, %t[1, 0] : memref<2x8xf64>, vector<8xf64>
  %third = affine.load %t[0, 2] : memref<2x8xf64>
  affine.store %third, %z[0] : memref<1xf64>
  %re1 = affine.vector_load %t[0, 0] : memref<2x8xf64>, vector<8xf64>
  %im1 = affine.vector_load %t[1, 0] : memref<2x8xf64>, vector<8xf64>
  %first = vector.shuffle %re1, %im1 [0, 8, 1, 9, 2, 10, 3, 11] : vector<8xf64>, vector<8xf64>
  affine.vector_store %first, %y[0, 0] : memref<8x2xf64>, vector<8xf64>
  return
}

// A row of 12 parts: its second vector begins in the middle of the first.
// CHECK-LABEL: func.func @vectors_that_overlap
// CHECK:         vector.shuffle {{.*}} [0, 2, 4, 6, 8, 10, 12, 14]
// CHECK:         vector.shuffle {{.*}} [4, 12, 5, 13, 6, 14, 7, 15]
func.func @vectors_that_overlap(%x: memref<2x12x2xf64>, %y: memref<12x2xf64>) {
  %t = memref.alloca() : memref<2x12xf64>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 8 step 4 {
      %low = affine.vector_load %x[%i, %j, 0] : memref<2x12x2xf64>, vector<8xf64>
      %high = affine.vector_load %x[%i, %j + 4, 0] : memref<2x12x2xf64>, vector<8xf64>
      %re = vector.shuffle %low, %high [0, 2, 4, 6, 8, 10, 12, 14] : vector<8xf64>, vector<8xf64>
      affine.vector_store %re, %t[%i, %j] : memref<2x12xf64>, vector<8xf64>
    }
  }
  %a = affine.vector_load %t[0, 0] : memref<2x12xf64>, vector<8xf64>
  %b = affine.vector_load %t[1, 0] : memref<2x12xf64>, vector<8xf64>
  %second = vector.shuffle %a, %b [4, 12, 5, 13, 6, 14, 7, 15] : vector<8xf64>, vector<8xf64>
  affine.vector_store %second, %y[4, 0] : memref<12x2xf64>, vector<8xf64>
  return
}
}
