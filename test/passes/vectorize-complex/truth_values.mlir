// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// RUN: cat %target_avx2 %s | weft-opt - --vectorize-complex | FileCheck %s --check-prefix=AVX2
// RUN: cat %target_sw26010 %s | weft-opt - --vectorize-complex | FileCheck %s --check-prefix=SW
// Truth values that lie side by side are loaded and stored as vectors, a byte each; those of a row that is
// shorter than a vector under its mask. Values that lie apart go one by one, and all do on a machine
// whose vectors hold only floats.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @where
// CHECK:     %[[KEEP:.*]] = affine.vector_load %arg1[%{{.*}}] : memref<64xi1>, vector<16xi1>
// CHECK:     %[[ABOVE:.*]] = arith.cmpf ogt, %{{.*}} : vector<16xf32>
// CHECK:     %[[BOTH:.*]] = arith.andi %[[ABOVE]], %[[KEEP]] : vector<16xi1>
// CHECK:     affine.vector_store %[[BOTH]], %arg2[%{{.*}}] : memref<64xi1>, vector<16xi1>
// AVX2-LABEL: func.func @where
// AVX2:      affine.vector_store %{{.*}} : memref<64xi1>, vector<8xi1>
// SW-LABEL:  func.func @where
// SW-NOT:    vector_store
// SW-LABEL:  func.func @short
func.func @where(%x: memref<64xf32>, %keep: memref<64xi1>, %y: memref<64xi1>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 64 {
    %v = affine.load %x[%i] : memref<64xf32>
    %k = affine.load %keep[%i] : memref<64xi1>
    %above = arith.cmpf ogt, %v, %zero : f32
    %both = arith.andi %above, %k : i1
    affine.store %both, %y[%i] : memref<64xi1>
  } {weft.lane}
  return
}

// CHECK-LABEL: func.func @short
// CHECK: vector.maskedload %arg0
// CHECK: vector.maskedstore %arg1[%{{.*}}], %{{.*}}, %{{.*}} : memref<20x7xi1>, vector<8xi1>, vector<8xi1>
func.func @short(%x: memref<20x7xf64>, %y: memref<20x7xi1>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 7 {
      %v = affine.load %x[%i, %j] : memref<20x7xf64>
      %above = arith.cmpf ogt, %v, %zero : f64
      affine.store %above, %y[%i, %j] : memref<20x7xi1>
    } {weft.lane}
  }
  return
}

// CHECK-LABEL: func.func @apart
// CHECK-NOT: i1>, vector
// CHECK: return
func.func @apart(%x: memref<64xf32>, %y: memref<64x3xi1>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 64 {
    %v = affine.load %x[%i] : memref<64xf32>
    %above = arith.cmpf ogt, %v, %zero : f32
    affine.store %above, %y[%i, 1] : memref<64x3xi1>
  } {weft.lane}
  return
}

// Of truth values alone there are as many lanes as of numbers of 32 bits.
// CHECK-LABEL: func.func @alone
// CHECK: arith.andi %{{.*}}, %{{.*}} : vector<16xi1>
// AVX2-LABEL: func.func @alone
// AVX2: arith.andi %{{.*}}, %{{.*}} : vector<8xi1>
func.func @alone(%x: memref<64xi1>, %y: memref<64xi1>, %z: memref<64xi1>) {
  affine.for %i = 0 to 64 {
    %a = affine.load %x[%i] : memref<64xi1>
    %b = affine.load %y[%i] : memref<64xi1>
    %both = arith.andi %a, %b : i1
    affine.store %both, %z[%i] : memref<64xi1>
  } {weft.lane}
  return
}
}
