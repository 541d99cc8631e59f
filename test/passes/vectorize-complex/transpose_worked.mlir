// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// Rows that have been turned are computed with as they are stored: one number a row is spread, what
// lies as the result is loaded as vectors.

module attributes {weft.target = #target} {
// CHECK-LABEL:   func.func @worked
// CHECK-COUNT-8:   affine.vector_load %arg0[{{.*}}] : memref<8x8xf64>, vector<8xf64>
// CHECK-COUNT-24:  vector.shuffle
// CHECK-COUNT-8:   arith.maximumf {{.*}} : vector<8xf64>
// CHECK-NOT:       affine.store
// CHECK:         return
func.func @worked(%t: memref<8x8xf64>, %b: memref<8xf64>, %r: memref<8x8xf64>, %y: memref<8x8xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %k = 0 to 8 {
    affine.for %j = 0 to 8 {
      %x = affine.load %t[%j, %k] : memref<8x8xf64>
      %bias = affine.load %b[%k] : memref<8xf64>
      %rest = affine.load %r[%k, %j] : memref<8x8xf64>
      %s0 = arith.addf %x, %bias : f64
      %s1 = arith.addf %s0, %rest : f64
      %m = arith.maximumf %s1, %zero : f64
      affine.store %m, %y[%k, %j] : memref<8x8xf64>
    } {weft.lane}
  } {weft.transpose}
  return
}
// What is stored may be read by the next square: lanes as ever.
// CHECK-LABEL:   func.func @same
// CHECK-NOT:       vector.shuffle
// CHECK:         return
func.func @same(%t: memref<8x8xf64>) {
  affine.for %k = 0 to 8 {
    affine.for %j = 0 to 8 {
      %x = affine.load %t[%j, %k] : memref<8x8xf64>
      %s = arith.addf %x, %x : f64
      affine.store %s, %t[%k, %j] : memref<8x8xf64>
    } {weft.lane}
  } {weft.transpose}
  return
}
// Functions of the C library turn no squares.
// CHECK-LABEL:   func.func @functions
// CHECK-NOT:       vector.shuffle
// CHECK:           math.powf {{.*}} : vector<8xf64>
// CHECK:         return
func.func @functions(%t: memref<8x8xf64>, %b: memref<8xf64>, %y: memref<8x8xf64>) {
  affine.for %k = 0 to 8 {
    affine.for %j = 0 to 8 {
      %x = affine.load %t[%j, %k] : memref<8x8xf64>
      %power = affine.load %b[%k] : memref<8xf64>
      %s = math.powf %x, %power : f64
      affine.store %s, %y[%k, %j] : memref<8x8xf64>
    } {weft.lane}
  } {weft.transpose}
  return
}
}
