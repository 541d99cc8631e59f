// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// What is one operation on both parts stays so, on vectors as memory has them.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @conjugate
// CHECK:      %[[SIGNS:.*]] = arith.constant dense<[1.{{0*}}e+00, -1.{{0*}}e+00,
// CHECK:      affine.for %{{.*}} = 0 to 16 step 4
// CHECK-NEXT: %[[X:.*]] = affine.vector_load %{{.*}}[%[[I:.*]], 0] : memref<16x2xf64>, vector<8xf64>
// CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[X]], %[[SIGNS]]
// CHECK-NEXT: affine.vector_store %[[Y]], %{{.*}}[%[[I]], 0]
func.func @conjugate(%x: memref<16x2xf64>, %y: memref<16x2xf64>) {
  affine.for %i = 0 to 16 {
    %re = affine.load %x[%i, 0] : memref<16x2xf64>
    %im = affine.load %x[%i, 1] : memref<16x2xf64>
    %neg = arith.negf %im : f64
    affine.store %neg, %y[%i, 1] : memref<16x2xf64>
    affine.store %re, %y[%i, 0] : memref<16x2xf64>
  } {weft.lane}
  return
}

// x + i*y: one exchange of parts, one sum with signs by turns.
// CHECK-LABEL: func.func @turned_sum
// CHECK-DAG:  %[[X:.*]] = affine.vector_load %arg0
// CHECK-DAG:  %[[Y:.*]] = affine.vector_load %arg1
// CHECK:      %[[SWAPPED:.*]] = vector.shuffle %[[Y]], %[[Y]] [1, 0, 3, 2, 5, 4, 7, 6]
// CHECK-NEXT: %[[SUM:.*]] = math.fma %[[SWAPPED]], %{{.*}}, %[[X]]
// CHECK-NEXT: affine.vector_store %[[SUM]], %arg2
func.func @turned_sum(%x: memref<16x2xf64>, %y: memref<16x2xf64>, %z: memref<16x2xf64>) {
  affine.for %i = 0 to 16 {
    %xr = affine.load %x[%i, 0] : memref<16x2xf64>
    %xi = affine.load %x[%i, 1] : memref<16x2xf64>
    %yr = affine.load %y[%i, 0] : memref<16x2xf64>
    %yi = affine.load %y[%i, 1] : memref<16x2xf64>
    %re = arith.subf %xr, %yi : f64
    %im = arith.addf %xi, %yr : f64
    affine.store %re, %z[%i, 0] : memref<16x2xf64>
    affine.store %im, %z[%i, 1] : memref<16x2xf64>
  } {weft.lane}
  return
}

// Times a factor that is the same for all: one exchange, a product, a sum.
// CHECK-LABEL: func.func @scaled
// CHECK:      %[[X:.*]] = affine.vector_load
// CHECK-DAG:  %[[SWAPPED:.*]] = vector.shuffle %[[X]], %[[X]] [1, 0, 3, 2, 5, 4, 7, 6]
// CHECK-DAG:  %[[PRODUCT:.*]] = arith.mulf %[[SWAPPED]], %{{.*}}
// CHECK:      %[[SIGNED:.*]] = arith.mulf %[[PRODUCT]], %{{.*}}
// CHECK-NEXT: math.fma %[[X]], %{{.*}}, %[[SIGNED]]
// CHECK-NOT:  vector.shuffle
func.func @scaled(%x: memref<16x2xf64>, %w: memref<2xf64>, %z: memref<16x2xf64>) {
  affine.for %i = 0 to 16 {
    %xr = affine.load %x[%i, 0] : memref<16x2xf64>
    %xi = affine.load %x[%i, 1] : memref<16x2xf64>
    %wr = affine.load %w[0] : memref<2xf64>
    %wi = affine.load %w[1] : memref<2xf64>
    %ii = arith.mulf %xi, %wi : f64
    %ni = arith.negf %ii : f64
    %re = math.fma %xr, %wr, %ni : f64
    %ir = arith.mulf %xi, %wr : f64
    %im = math.fma %xr, %wi, %ir : f64
    affine.store %re, %z[%i, 0] : memref<16x2xf64>
    affine.store %im, %z[%i, 1] : memref<16x2xf64>
  } {weft.lane}
  return
}
}
