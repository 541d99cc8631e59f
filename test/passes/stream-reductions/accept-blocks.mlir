// RUN: cat %target_avx512 %s | weft-opt - --stream-reductions --remarks-filter=stream-reductions --remark-policy=all 2>%t \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// A long reduction whose order is free becomes blocks, which threads share: what they have come to is combined
// in order, and then the rest of the iterations. Short ones, and those in a loop that is shared, stay.

// NOTE: decided {{.*}}in blocks, which threads share{{.*}}Why="64 blocks of 16384 iterations each
// NOTE-NOT: decided

module attributes {weft.target = #target} {
// CHECK: #[[$PLACE:.*]] = affine_map<(d0, d1) -> (d0 * 16384 + d1)>
// CHECK-LABEL: func.func @long
// CHECK-DAG:  %[[MOST:.*]] = memref.alloca() : memref<64xf64>
// CHECK:      affine.for %[[B:.*]] = 0 to 64 {
// CHECK:        affine.for %[[I:.*]] = 0 to 16384 iter_args(%{{.*}} = %{{.*}}) -> (f64)
// CHECK:          affine.apply #[[$PLACE]](%[[B]], %[[I]])
// CHECK:        {weft.lane, weft.reassociate}
// CHECK:        affine.store %{{.*}}, %[[MOST]][%[[B]]]
// CHECK:      {weft.independent}
// CHECK:      affine.for %{{.*}} = 0 to 64 iter_args
// CHECK:        arith.maximumf
// CHECK:      affine.for %{{.*}} = 1048576 to 1048600 iter_args
// CHECK-LABEL: func.func @short
func.func @long(%x: memref<1048600xf64>, %m: memref<f64>) {
  %low = arith.constant 0xFFF0000000000000 : f64
  %most = affine.for %i = 0 to 1048600 iter_args(%a = %low) -> f64 {
    %v = affine.load %x[%i] : memref<1048600xf64>
    %b = arith.maximumf %a, %v : f64
    affine.yield %b : f64
  } {weft.lane, weft.reassociate}
  affine.store %most, %m[] : memref<f64>
  return
}

// CHECK-NOT: memref.alloca
func.func @short(%x: memref<10000xf64>, %s: memref<f64>) {
  %zero = arith.constant 0.0 : f64
  %sum = affine.for %i = 0 to 10000 iter_args(%a = %zero) -> f64 {
    %v = affine.load %x[%i] : memref<10000xf64>
    %b = arith.addf %a, %v : f64
    affine.yield %b : f64
  } {weft.lane, weft.reassociate}
  affine.store %sum, %s[] : memref<f64>
  return
}
func.func @of_rows(%x: memref<4x1048600xf64>, %s: memref<4xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %j = 0 to 4 {
    %sum = affine.for %i = 0 to 1048600 iter_args(%a = %zero) -> f64 {
      %v = affine.load %x[%j, %i] : memref<4x1048600xf64>
      %b = arith.addf %a, %v : f64
      affine.yield %b : f64
    } {weft.lane, weft.reassociate}
    affine.store %sum, %s[%j] : memref<4xf64>
  } {weft.independent}
  return
}
}
