// A quarter of a row that is long, in whole pages, a quarter of the first cache at most: for all kinds of sums.
// RUN: cat %target_avx512 %s | weft-opt - --stream-reductions --canonicalize | FileCheck %s
module attributes {weft.target = #target} {
  // CHECK-LABEL: func.func @long
  // CHECK:       affine.for %{{.*}} = 0 to 8192 step 2048 {
  // CHECK-NEXT:    memref.alloca() : memref<2048xf32>
  func.func @long(%x: memref<65x8192xf32>, %y: memref<8192xf32>) {
    %zero = arith.constant 0.0 : f32
    affine.for %j = 0 to 8192 {
      %s = affine.for %i = 0 to 65 iter_args(%before = %zero) -> (f32) {
        %e = affine.load %x[%i, %j] : memref<65x8192xf32>
        %next = arith.addf %before, %e : f32
        affine.yield %next : f32
      }
      affine.store %s, %y[%j] : memref<8192xf32>
    } {weft.independent, weft.lane}
    return
  }
  // CHECK-LABEL: func.func @two_kinds
  // CHECK:       affine.for %{{.*}} = 0 to 8192 step 1024 {
  // CHECK-NEXT:    memref.alloca() : memref<1024xf32>
  // CHECK-NEXT:    memref.alloca() : memref<1024xf32>
  func.func @two_kinds(%x: memref<65x8192xf32>, %y: memref<8192xf32>, %z: memref<8192xf32>) {
    %zero = arith.constant 0.0 : f32
    affine.for %j = 0 to 8192 {
      %s:2 = affine.for %i = 0 to 65 iter_args(%a = %zero, %b = %zero) -> (f32, f32) {
        %e = affine.load %x[%i, %j] : memref<65x8192xf32>
        %sum = arith.addf %a, %e : f32
        %most = arith.maximumf %b, %e : f32
        affine.yield %sum, %most : f32, f32
      }
      affine.store %s#0, %y[%j] : memref<8192xf32>
      affine.store %s#1, %z[%j] : memref<8192xf32>
    } {weft.independent, weft.lane}
    return
  }
}
