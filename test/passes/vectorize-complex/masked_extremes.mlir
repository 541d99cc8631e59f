// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex --remarks-filter=.* --remark-policy=all 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// RUN: cat %target_avx2 %s | weft-opt - --vectorize-complex | FileCheck %s --check-prefix=WHOLE
// The largest of fewer numbers than a vector has lanes is that of a masked vector: one by one each would wait
// for three operations on the one before. Sums, and fewer than six numbers, stay one by one.

// NOTE: decided {{.*}}Why="13 iterations do not fill 16 lanes; the others are masked"
// NOTE: rejected {{.*}}Why="13 iterations do not fill 16 lanes"
// NOTE: rejected {{.*}}Why="5 iterations do not fill 8 lanes"

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @largest
// CHECK:       vector.maskedload
// CHECK:       arith.maximumf {{.*}} : vector<16xf32>
// CHECK-NOT:   iter_args
// CHECK-LABEL: func.func @sum
// WHOLE-LABEL: func.func @largest
// WHOLE-NOT:   vector.masked
// WHOLE-LABEL: func.func @sum
func.func @largest(%x: memref<20x13xf32>, %m: memref<20xf32>) {
  %low = arith.constant 0xFF800000 : f32
  affine.for %i = 0 to 20 {
    %most = affine.for %j = 0 to 13 iter_args(%a = %low) -> f32 {
      %v = affine.load %x[%i, %j] : memref<20x13xf32>
      %b = arith.maximumf %a, %v : f32
      affine.yield %b : f32
    } {weft.lane, weft.reassociate}
    affine.store %most, %m[%i] : memref<20xf32>
  }
  return
}

// CHECK-NOT:   vector
// CHECK-LABEL: func.func @few
func.func @sum(%x: memref<20x13xf32>, %s: memref<20xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 20 {
    %sum = affine.for %j = 0 to 13 iter_args(%a = %zero) -> f32 {
      %v = affine.load %x[%i, %j] : memref<20x13xf32>
      %b = arith.addf %a, %v : f32
      affine.yield %b : f32
    } {weft.lane, weft.reassociate}
    affine.store %sum, %s[%i] : memref<20xf32>
  }
  return
}

// CHECK-NOT:   vector
func.func @few(%x: memref<20x5xf64>, %m: memref<20xf64>) {
  %low = arith.constant 0xFFF0000000000000 : f64
  affine.for %i = 0 to 20 {
    %most = affine.for %j = 0 to 5 iter_args(%a = %low) -> f64 {
      %v = affine.load %x[%i, %j] : memref<20x5xf64>
      %b = arith.minimumf %a, %v : f64
      affine.yield %b : f64
    } {weft.lane, weft.reassociate}
    affine.store %most, %m[%i] : memref<20xf64>
  }
  return
}
}
