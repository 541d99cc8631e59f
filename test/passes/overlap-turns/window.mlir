// Where it is known how many operations wait at the same time, the order is one that they are seen through in: two chains
// one behind the other become chains side by side, although more values are then alive; so do those in front of a loop.
// What is best as it is stays.
// RUN: sed 's/vector_bytes/wide_window = 6 : i64, wide_pipes = array<i64: 2, 1, 12, 4, 1, 3, 2, 1, 15, 5, 1, 6, 2, 1, 15, 7, 1, 48, 8, 1, 64>, vector_bytes/' %target_avx512 > %t
// RUN: cat %t %s | weft-opt - --overlap-turns | FileCheck %s
// RUN: cat %t %s | weft-opt - --overlap-turns --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE
// RUN: sed 's/vector_bytes/wide_pipes = array<i64: 2, 1, 12, 4, 1, 3, 2, 1, 15, 5, 1, 6, 2, 1, 15, 7, 1, 48, 8, 1, 64>, vector_bytes/' %target_avx512 > %t.blind
// RUN: cat %t.blind %s | weft-opt - --overlap-turns | FileCheck %s --check-prefix=BLIND

// NOTE-DAG: decided {{.*}}operations in another order{{.*}}rather than {{.*}}(wide_window)
// NOTE-DAG: rejected {{.*}}in none a turn takes fewer cycles than

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @chains
// CHECK:         affine.for
// CHECK-NEXT:      affine.vector_load
// CHECK-NEXT:      affine.vector_load
// CHECK-NOT:       vector.shuffle
// CHECK-COUNT-6:   arith.mulf
// CHECK-COUNT-4:   vector.shuffle
// CHECK-COUNT-2:   affine.vector_store
// BLIND-LABEL: func.func @chains
// BLIND:           affine.vector_load
// BLIND-NEXT:      arith.addf
func.func @chains(%x: memref<512xf64>, %y: memref<512xf64>) {
  affine.for %i = 0 to 128 step 8 {
    %a = affine.vector_load %x[%i] : memref<512xf64>, vector<8xf64>
    %s = arith.addf %a, %a : vector<8xf64>
    %q = arith.mulf %s, %a : vector<8xf64>
    %r = arith.mulf %q, %s : vector<8xf64>
    %p = arith.mulf %r, %q : vector<8xf64>
    %l = vector.shuffle %s, %p [0, 8, 2, 10, 4, 12, 6, 14] : vector<8xf64>, vector<8xf64>
    %u = vector.shuffle %l, %p [0, 1, 8, 9, 4, 5, 12, 13] : vector<8xf64>, vector<8xf64>
    affine.vector_store %u, %y[%i] : memref<512xf64>, vector<8xf64>
    %b = affine.vector_load %x[%i + 128] : memref<512xf64>, vector<8xf64>
    %t = arith.addf %b, %b : vector<8xf64>
    %v = arith.mulf %t, %b : vector<8xf64>
    %w = arith.mulf %v, %t : vector<8xf64>
    %z = arith.mulf %w, %v : vector<8xf64>
    %m = vector.shuffle %t, %z [0, 8, 2, 10, 4, 12, 6, 14] : vector<8xf64>, vector<8xf64>
    %n = vector.shuffle %m, %z [0, 1, 8, 9, 4, 5, 12, 13] : vector<8xf64>, vector<8xf64>
    affine.vector_store %n, %y[%i + 128] : memref<512xf64>, vector<8xf64>
  } {weft.parallel}
  return
}

// CHECK-LABEL: func.func @in_front_of_a_loop
// CHECK:         affine.for
// CHECK:           memref.alloca
// CHECK-COUNT-2:   affine.vector_load
// CHECK:           affine.for
// CHECK-NEXT:        affine.vector_load
// CHECK-NEXT:        affine.vector_store
func.func @in_front_of_a_loop(%x: memref<512xf64>, %y: memref<512xf64>) {
  affine.for %i = 0 to 128 step 16 {
    %c = memref.alloca() : memref<16xf64>
    %a = affine.vector_load %x[%i] : memref<512xf64>, vector<8xf64>
    %s = arith.addf %a, %a : vector<8xf64>
    %q = arith.mulf %s, %a : vector<8xf64>
    %p = arith.mulf %q, %s : vector<8xf64>
    %l = vector.shuffle %s, %p [0, 8, 2, 10, 4, 12, 6, 14] : vector<8xf64>, vector<8xf64>
    %u = vector.shuffle %l, %p [0, 1, 8, 9, 4, 5, 12, 13] : vector<8xf64>, vector<8xf64>
    affine.vector_store %u, %c[0] : memref<16xf64>, vector<8xf64>
    %b = affine.vector_load %x[%i + 8] : memref<512xf64>, vector<8xf64>
    %t = arith.addf %b, %b : vector<8xf64>
    %v = arith.mulf %t, %b : vector<8xf64>
    %w = arith.mulf %v, %t : vector<8xf64>
    %m = vector.shuffle %t, %w [0, 8, 2, 10, 4, 12, 6, 14] : vector<8xf64>, vector<8xf64>
    %n = vector.shuffle %m, %w [0, 1, 8, 9, 4, 5, 12, 13] : vector<8xf64>, vector<8xf64>
    affine.vector_store %n, %c[8] : memref<16xf64>, vector<8xf64>
    affine.for %j = 0 to 16 step 8 {
      %d = affine.vector_load %c[%j] : memref<16xf64>, vector<8xf64>
      affine.vector_store %d, %y[%i + %j] : memref<512xf64>, vector<8xf64>
    }
  } {weft.parallel}
  return
}

// CHECK-LABEL: func.func @best_as_it_is
// CHECK:         affine.for
// CHECK-NEXT:      %[[A:.*]] = affine.vector_load
// CHECK-NEXT:      %[[B:.*]] = affine.vector_load
// CHECK-NEXT:      %[[L:.*]] = vector.shuffle %[[A]], %[[B]]
// CHECK-NEXT:      vector.shuffle %[[L]], %[[B]]
// CHECK-NEXT:      affine.vector_store
func.func @best_as_it_is(%x: memref<512xf64>, %y: memref<512xf64>) {
  affine.for %i = 0 to 128 step 8 {
    %a = affine.vector_load %x[%i] : memref<512xf64>, vector<8xf64>
    %b = affine.vector_load %x[%i + 128] : memref<512xf64>, vector<8xf64>
    %l = vector.shuffle %a, %b [0, 8, 2, 10, 4, 12, 6, 14] : vector<8xf64>, vector<8xf64>
    %u = vector.shuffle %l, %b [0, 1, 8, 9, 4, 5, 12, 13] : vector<8xf64>, vector<8xf64>
    affine.vector_store %u, %y[%i] : memref<512xf64>, vector<8xf64>
  } {weft.parallel}
  return
}
}
