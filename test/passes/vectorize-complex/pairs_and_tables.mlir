// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// The factors of a table come from two tables more, each with one part in both places.

module attributes {weft.target = #target} {
// CHECK-DAG: memref.global "private" constant @w_re_1 : memref<4x2xf64> = dense<{{.*}}1.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00]
// CHECK-DAG: memref.global "private" constant @w_im : memref<4x2xf64> = dense<{{.*}}5.000000e+00, 5.000000e+00], [6.000000e+00, 6.000000e+00]
memref.global "private" constant @w : memref<4x2xf64> = dense<[[1.0, 5.0], [2.0, 6.0], [3.0, 7.0], [4.0, 8.0]]>
// A table of the program that has the name already is another one.
// CHECK-DAG: memref.global "private" constant @w_re : memref<4x2xf64> = dense<9.000000e+00>
memref.global "private" constant @w_re : memref<4x2xf64> = dense<9.0>
// CHECK-LABEL: func.func @twiddled
// CHECK-DAG: memref.get_global @w_re_1
// CHECK-DAG: memref.get_global @w_im
// CHECK-COUNT-1: vector.shuffle
// CHECK-NOT: vector.shuffle
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
