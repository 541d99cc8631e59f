// RUN: cat %target_avx512 %s | weft-opt - --join-nests --remarks-filter=join-nests --remark-policy=all 2>%t \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// Nests that only read the same rows, in other loops, are one, so that rows come from memory once; not where
// what each reads besides, again in every iteration, has no room beside them, nor where slices are columns.

// NOTE: decided {{.*}}Why="what both touch has 16777216 bytes, a slice 16384
// NOTE-NOT: decided

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @rows
// CHECK:      affine.for %[[I:.*]] = 0 to 1024 {
// CHECK:        affine.load %arg0[%[[I]],
// CHECK:        affine.store %{{.*}}, %arg1[%[[I]]]
// CHECK:        affine.load %arg0[%[[I]],
// CHECK:        affine.store %{{.*}}, %arg2[%[[I]]]
// CHECK:      {weft.independent}
// CHECK-NOT:  weft.independent
// CHECK-LABEL: func.func @products
func.func @rows(%x: memref<1024x2048xf64>, %s: memref<1024xf64>, %m: memref<1024xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 1024 {
    %sum = affine.for %j = 0 to 2048 iter_args(%a = %zero) -> f64 {
      %v = affine.load %x[%i, %j] : memref<1024x2048xf64>
      %b = arith.addf %a, %v : f64
      affine.yield %b : f64
    }
    affine.store %sum, %s[%i] : memref<1024xf64>
  } {weft.independent}
  affine.for %i = 0 to 1024 {
    %most = affine.for %j = 1 to 2048 iter_args(%a = %zero) -> f64 {
      %v = affine.load %x[%i, %j] : memref<1024x2048xf64>
      %b = arith.maximumf %a, %v : f64
      affine.yield %b : f64
    }
    affine.store %most, %m[%i] : memref<1024xf64>
  } {weft.independent}
  return
}

// CHECK-COUNT-2: {weft.independent}
// CHECK-LABEL: func.func @columns
func.func @products(%x: memref<1024x2048xf64>, %a: memref<2048x64xf64>, %b: memref<2048x64xf64>,
                    %s: memref<1024x64xf64>, %m: memref<1024x64xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 1024 {
    affine.for %k = 0 to 64 {
      %sum = affine.for %j = 0 to 2048 iter_args(%c = %zero) -> f64 {
        %v = affine.load %x[%i, %j] : memref<1024x2048xf64>
        %w = affine.load %a[%j, %k] : memref<2048x64xf64>
        %d = math.fma %v, %w, %c : f64
        affine.yield %d : f64
      }
      affine.store %sum, %s[%i, %k] : memref<1024x64xf64>
    }
  } {weft.independent}
  affine.for %i = 0 to 1024 {
    affine.for %k = 0 to 64 {
      %sum = affine.for %j = 0 to 2048 iter_args(%c = %zero) -> f64 {
        %v = affine.load %x[%i, %j] : memref<1024x2048xf64>
        %w = affine.load %b[%j, %k] : memref<2048x64xf64>
        %d = math.fma %v, %w, %c : f64
        affine.yield %d : f64
      }
      affine.store %sum, %m[%i, %k] : memref<1024x64xf64>
    }
  } {weft.independent}
  return
}

// CHECK-COUNT-2: {weft.independent}
func.func @columns(%x: memref<2048x1024xf64>, %s: memref<1024xf64>, %m: memref<1024xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 1024 {
    %sum = affine.for %j = 0 to 2048 iter_args(%a = %zero) -> f64 {
      %v = affine.load %x[%j, %i] : memref<2048x1024xf64>
      %b = arith.addf %a, %v : f64
      affine.yield %b : f64
    }
    affine.store %sum, %s[%i] : memref<1024xf64>
  } {weft.independent}
  affine.for %i = 0 to 1024 {
    %most = affine.for %j = 1 to 2048 iter_args(%a = %zero) -> f64 {
      %v = affine.load %x[%j, %i] : memref<2048x1024xf64>
      %b = arith.maximumf %a, %v : f64
      affine.yield %b : f64
    }
    affine.store %most, %m[%i] : memref<1024xf64>
  } {weft.independent}
  return
}
}
