// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// A sum inside of each lane is carried in a vector; f32 has 16 lanes.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @columns
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
// CHECK: affine.for %[[J:.*]] = 0 to 32 step 16 {
// CHECK:   %[[S:.*]] = affine.for %[[K:.*]] = 0 to 9 iter_args(%[[C:.*]] = %[[ZERO]]) -> (vector<16xf32>) {
// CHECK:     %[[V:.*]] = affine.vector_load %{{.*}}[%[[K]], %[[J]]]
// CHECK:     %[[N:.*]] = arith.addf %[[C]], %[[V]] : vector<16xf32>
// CHECK:     affine.yield %[[N]]
// CHECK:   affine.vector_store %[[S]]
func.func @columns(%x: memref<9x32xf32>, %y: memref<32xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %j = 0 to 32 {
    %s = affine.for %k = 0 to 9 iter_args(%c = %zero) -> f32 {
      %v = affine.load %x[%k, %j] : memref<9x32xf32>
      %n = arith.addf %c, %v : f32
      affine.yield %n : f32
    }
    affine.store %s, %y[%j] : memref<32xf32>
  } {weft.lane}
  return
}
}
