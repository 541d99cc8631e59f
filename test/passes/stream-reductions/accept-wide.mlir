// Blocks have a page of each row, or half of one where rows have less than two, so that threads share them;
// as many as divide the columns into whole vectors. Sums of all kinds take a quarter of the first cache at most.
// RUN: cat %target_avx512 %s | weft-opt - --stream-reductions --canonicalize | FileCheck %s
module attributes {weft.target = #target} {
  // CHECK-LABEL: func.func @long
  // CHECK:       affine.for %{{.*}} = 0 to 8192 step 1024 {
  // CHECK-NEXT:    memref.alloca() : memref<1024xf32>
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
  // CHECK-LABEL: func.func @a_page
  // CHECK:       affine.for %{{.*}} = 0 to 1024 step 512 {
  // CHECK-NEXT:    memref.alloca() : memref<512xf32>
  func.func @a_page(%x: memref<65x1024xf32>, %y: memref<1024xf32>) {
    %zero = arith.constant 0.0 : f32
    affine.for %j = 0 to 1024 {
      %s = affine.for %i = 0 to 65 iter_args(%before = %zero) -> (f32) {
        %e = affine.load %x[%i, %j] : memref<65x1024xf32>
        %next = arith.addf %before, %e : f32
        affine.yield %next : f32
      }
      affine.store %s, %y[%j] : memref<1024xf32>
    } {weft.independent, weft.lane}
    return
  }
  // CHECK-LABEL: func.func @even
  // CHECK:       affine.for %{{.*}} = 0 to 2000 step 400 {
  // CHECK-NEXT:    memref.alloca() : memref<400xf32>
  // CHECK-NOT:   memref.alloca
  func.func @even(%x: memref<65x2000xf32>, %y: memref<2000xf32>) {
    %zero = arith.constant 0.0 : f32
    affine.for %j = 0 to 2000 {
      %s = affine.for %i = 0 to 65 iter_args(%before = %zero) -> (f32) {
        %e = affine.load %x[%i, %j] : memref<65x2000xf32>
        %next = arith.addf %before, %e : f32
        affine.yield %next : f32
      }
      affine.store %s, %y[%j] : memref<2000xf32>
    } {weft.independent, weft.lane}
    return
  }
  // Sums of f64 of rows of f32: the rows' pages count.
  // CHECK-LABEL: func.func @wider
  // CHECK:       affine.for %{{.*}} = 0 to 2048 step 1024 {
  // CHECK-NEXT:    memref.alloca() : memref<1024xf64>
  func.func @wider(%x: memref<65x2048xf32>, %y: memref<2048xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %j = 0 to 2048 {
      %s = affine.for %i = 0 to 65 iter_args(%before = %zero) -> (f64) {
        %e = affine.load %x[%i, %j] : memref<65x2048xf32>
        %d = arith.extf %e : f32 to f64
        %next = arith.addf %before, %d : f64
        affine.yield %next : f64
      }
      affine.store %s, %y[%j] : memref<2048xf64>
    } {weft.independent, weft.lane}
    return
  }
  // CHECK-LABEL: func.func @four_kinds
  // CHECK:       affine.for %{{.*}} = 0 to 8192 step 512 {
  // CHECK-NEXT:    memref.alloca() : memref<512xf32>
  // CHECK-NEXT:    memref.alloca() : memref<512xf32>
  func.func @four_kinds(%x: memref<65x8192xf32>, %y: memref<4x8192xf32>) {
    %zero = arith.constant 0.0 : f32
    affine.for %j = 0 to 8192 {
      %s:4 = affine.for %i = 0 to 65 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (f32, f32, f32, f32) {
        %e = affine.load %x[%i, %j] : memref<65x8192xf32>
        %sum = arith.addf %a, %e : f32
        %most = arith.maximumf %b, %e : f32
        %least = arith.minimumf %c, %e : f32
        %without = arith.subf %d, %e : f32
        affine.yield %sum, %most, %least, %without : f32, f32, f32, f32
      }
      affine.store %s#0, %y[0, %j] : memref<4x8192xf32>
      affine.store %s#1, %y[1, %j] : memref<4x8192xf32>
      affine.store %s#2, %y[2, %j] : memref<4x8192xf32>
      affine.store %s#3, %y[3, %j] : memref<4x8192xf32>
    } {weft.independent, weft.lane}
    return
  }
}
