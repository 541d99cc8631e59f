// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// The factors of a small table come from two others, each of which holds one part of every number
// twice.

module attributes {weft.target = #target} {
// CHECK-DAG: memref.global "private" constant @w_im_1 : memref<4x2xf64> = dense<{{\[\[}}5.000000e+00, 5.000000e+00], {{.*}}, [8.000000e+00, 8.000000e+00]]>
// CHECK-DAG: memref.global "private" constant @w_re : memref<4x2xf64> = dense<{{\[\[}}1.000000e+00, 1.000000e+00], {{.*}}, [4.000000e+00, 4.000000e+00]]>
memref.global "private" constant @w : memref<4x2xf64> = dense<[[1.0, 5.0], [2.0, 6.0], [3.0, 7.0], [4.0, 8.0]]>
// A table of the program that has the name already is another one.
// CHECK-DAG: memref.global "private" constant @w_im : memref<4x2xf64> = dense<9.000000e+00>
memref.global "private" constant @w_im : memref<4x2xf64> = dense<9.0>
// CHECK-LABEL: func.func @twiddled
// CHECK-DAG:     %[[RES:.*]] = memref.get_global @w_re : memref<4x2xf64>
// CHECK-DAG:     %[[IMS:.*]] = memref.get_global @w_im_1 : memref<4x2xf64>
// CHECK:         vector.shuffle {{.*}} [1, 0, 3, 2, 5, 4, 7, 6]
// CHECK:         affine.vector_load %[[IMS]][%{{.*}}, 0] : memref<4x2xf64>, vector<8xf64>
// CHECK:         affine.vector_load %[[RES]][%{{.*}}, 0] : memref<4x2xf64>, vector<8xf64>
// CHECK-NOT:     vector.shuffle
func.func @twiddled(%x: memref<4x2xf64>, %z: memref<4x2xf64>) {
  %w = memref.get_global @w : memref<4x2xf64>
  affine.for %i = 0 to 4 {
    %xr = affine.load %x[%i, 0] : memref<4x2xf64>
    %xi = affine.load %x[%i, 1] : memref<4x2xf64>
    %wr = affine.load %w[%i, 0] : memref<4x2xf64>
    %wi = affine.load %w[%i, 1] : memref<4x2xf64>
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
