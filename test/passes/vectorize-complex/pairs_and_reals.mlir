// Complex numbers times real ones side by side: these stand in both places, two vectors of complex
// numbers a turn, and no part is taken apart. What only real numbers make is made of such vectors.
// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --vectorize-complex | FileCheck %s --check-prefix=SW

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @window
// CHECK:      affine.for %{{.*}} = 0 to 32 step 8
// CHECK:      %[[W:.*]] = affine.vector_load %arg1
// CHECK-NEXT: %[[LOW:.*]] = vector.shuffle %[[W]], %[[W]] [0, 0, 1, 1, 2, 2, 3, 3]
// CHECK-NEXT: %[[HIGH:.*]] = vector.shuffle %[[W]], %[[W]] [4, 4, 5, 5, 6, 6, 7, 7]
// CHECK:      arith.mulf %{{.*}}, %[[LOW]]
// CHECK-NEXT: affine.vector_store
// CHECK-NEXT: arith.mulf %{{.*}}, %[[HIGH]]
// CHECK-NEXT: affine.vector_store
// The rest is one turn that does others again.
// CHECK:      affine.for %{{.*}} = 29 to 37 step 8
// CHECK-NOT:  affine.load
func.func @window(%x: memref<37x2xf64>, %w: memref<37xf64>, %y: memref<37x2xf64>) {
  affine.for %i = 0 to 37 {
    %f = affine.load %w[%i] : memref<37xf64>
    %re = affine.load %x[%i, 0] : memref<37x2xf64>
    %im = affine.load %x[%i, 1] : memref<37x2xf64>
    %a = arith.mulf %re, %f : f64
    %b = arith.mulf %im, %f : f64
    affine.store %a, %y[%i, 0] : memref<37x2xf64>
    affine.store %b, %y[%i, 1] : memref<37x2xf64>
  } {weft.lane}
  return
}

// On the cores, too: the factor of a row and its own are real.
// SW-LABEL: func.func @two_factors
// SW:       affine.for %{{.*}} = 0 to 8 step 4 {
// SW-DAG:   %[[Z:.*]] = affine.vector_load %{{.*}} : memref<8xf64>, vector<4xf64>
// SW:       vector.shuffle %[[Z]], %[[Z]] [0, 0, 1, 1]
// SW:       vector.shuffle %[[Z]], %[[Z]] [2, 2, 3, 3]
// SW-NOT:   vector.shuffle
// SW:       }
func.func @two_factors(%s: f64) {
  cpe.cores {
    %x = memref.alloca() : memref<8x2xf64>
    %z = memref.alloca() : memref<8xf64>
    affine.for %i = 0 to 8 {
      %e = affine.load %z[%i] : memref<8xf64>
      %f = arith.mulf %s, %e : f64
      %re = affine.load %x[%i, 0] : memref<8x2xf64>
      %im = affine.load %x[%i, 1] : memref<8x2xf64>
      %a = arith.mulf %re, %f : f64
      %b = arith.mulf %im, %f : f64
      affine.store %a, %x[%i, 0] : memref<8x2xf64>
      affine.store %b, %x[%i, 1] : memref<8x2xf64>
    } {weft.lane}
  }
  return
}
}
