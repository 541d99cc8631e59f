// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// The factors of a table that a quarter of the first cache does not hold come from a longer one: a
// load gives even numbers twice, one that starts a number later the odd ones.

module attributes {weft.target = #target} {
// CHECK: memref.global "private" constant @w_pairs : memref<1027xf64>
memref.global "private" constant @w : memref<513x2xf64> = dense<9.0>
// CHECK-LABEL: func.func @twiddled
// CHECK:         memref.get_global @w_pairs : memref<1027xf64>
// CHECK:         vector.shuffle {{.*}} [1, 0, 3, 2, 5, 4, 7, 6]
// CHECK:         %[[IM:.*]] = affine.vector_load %{{.*}}[%{{.*}} * 2 + 1] : memref<1027xf64>, vector<8xf64>
// CHECK-NEXT:    vector.shuffle %[[IM]], %[[IM]] [0, 0, 2, 2, 4, 4, 6, 6]
// CHECK:         %[[RE:.*]] = affine.vector_load %{{.*}}[%{{.*}} * 2] : memref<1027xf64>, vector<8xf64>
// CHECK-NEXT:    vector.shuffle %[[RE]], %[[RE]] [0, 0, 2, 2, 4, 4, 6, 6]
func.func @twiddled(%x: memref<4x2xf64>, %z: memref<4x2xf64>) {
  %w = memref.get_global @w : memref<513x2xf64>
  affine.for %i = 0 to 4 {
    %xr = affine.load %x[%i, 0] : memref<4x2xf64>
    %xi = affine.load %x[%i, 1] : memref<4x2xf64>
    %wr = affine.load %w[%i, 0] : memref<513x2xf64>
    %wi = affine.load %w[%i, 1] : memref<513x2xf64>
    %ii = arith.mulf %xi, %wi : f64
    %ni = arith.negf %ii : f64
    %re = math.fma %xr, %wr, %ni : f64
    %ir = arith.mulf %xi, %wr : f64
    %im = math.fma %xr, %wi, %ir : f64
    affine.store %re, %z[%i, 0] : memref<4x2xf64>
    affine.store %im, %z[%i, 1] : memref<4x2xf64>
  } {weft.lane}
  return
}
}
