// RUN: cat %target_avx512 %s | weft-opt - --join-nests --remarks-filter=join-nests --remark-policy=all 2>%t \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// RUN: cat %target_sw26010 %s | weft-opt - --join-nests | FileCheck %s --check-prefix=CORES
// Reductions of one array in the same loops become one loop that carries all they combine, whatever stores
// stand between them; so do nests that reduce each column. Not where one needs what the other has come
// to, where numbers have other types, and on cores, which have what they read in memory of their own.

// NOTE-COUNT-2: decided {{.*}}one nest with reductions before it{{.*}}they read the same array in the same loops

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @totals
// CHECK:      %[[R:.*]]:2 = affine.for %{{.*}} = 0 to 1000 iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (f64, f64)
// CHECK:        arith.addf %[[A]]
// CHECK:        arith.maximumf %[[B]]
// CHECK:      {weft.lane, weft.reassociate}
// CHECK-NEXT: affine.store %[[R]]#0, %arg1
// CHECK-NEXT: affine.store %[[R]]#1, %arg2
// CORES-LABEL: func.func @totals
// CORES-COUNT-2: weft.reassociate
// CORES-LABEL: func.func @columns
func.func @totals(%x: memref<1000xf64>, %s: memref<f64>, %m: memref<f64>) {
  %zero = arith.constant 0.0 : f64
  %sum = affine.for %i = 0 to 1000 iter_args(%a = %zero) -> f64 {
    %v = affine.load %x[%i] : memref<1000xf64>
    %b = arith.addf %a, %v : f64
    affine.yield %b : f64
  } {weft.lane, weft.reassociate}
  affine.store %sum, %s[] : memref<f64>
  %low = arith.constant 0xFFF0000000000000 : f64
  %most = affine.for %i = 0 to 1000 iter_args(%a = %low) -> f64 {
    %v = affine.load %x[%i] : memref<1000xf64>
    %b = arith.maximumf %a, %v : f64
    affine.yield %b : f64
  } {weft.lane, weft.reassociate}
  affine.store %most, %m[] : memref<f64>
  return
}

// CHECK-LABEL: func.func @columns
// CHECK:      affine.for %{{.*}} = 0 to 64 {
// CHECK:        affine.for %{{.*}} = 0 to 1000 iter_args({{.*}}) -> (f64, f64)
// CHECK:      {weft.independent, weft.lane}
// CHECK-NOT:  weft.lane
// CHECK-LABEL: func.func @after_another
func.func @columns(%x: memref<1000x64xf64>, %s: memref<64xf64>, %q: memref<64xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %j = 0 to 64 {
    %sum = affine.for %i = 0 to 1000 iter_args(%a = %zero) -> f64 {
      %v = affine.load %x[%i, %j] : memref<1000x64xf64>
      %b = arith.addf %a, %v : f64
      affine.yield %b : f64
    }
    affine.store %sum, %s[%j] : memref<64xf64>
  } {weft.independent, weft.lane}
  affine.for %j = 0 to 64 {
    %sum = affine.for %i = 0 to 1000 iter_args(%a = %zero) -> f64 {
      %v = affine.load %x[%i, %j] : memref<1000x64xf64>
      %b = math.fma %v, %v, %a : f64
      affine.yield %b : f64
    }
    affine.store %sum, %q[%j] : memref<64xf64>
  } {weft.independent, weft.lane}
  return
}

// CHECK-COUNT-2: -> (f64)
// CHECK-LABEL: func.func @in_halves
func.func @after_another(%x: memref<1000xf64>, %s: memref<f64>, %m: memref<f64>) {
  %zero = arith.constant 0.0 : f64
  %sum = affine.for %i = 0 to 1000 iter_args(%a = %zero) -> f64 {
    %v = affine.load %x[%i] : memref<1000xf64>
    %b = arith.addf %a, %v : f64
    affine.yield %b : f64
  } {weft.lane, weft.reassociate}
  affine.store %sum, %s[] : memref<f64>
  %square = affine.for %i = 0 to 1000 iter_args(%a = %zero) -> f64 {
    %v = affine.load %x[%i] : memref<1000xf64>
    %d = arith.subf %v, %sum : f64
    %b = math.fma %d, %d, %a : f64
    affine.yield %b : f64
  } {weft.lane, weft.reassociate}
  affine.store %square, %m[] : memref<f64>
  return
}

// CHECK-COUNT-2: affine.for {{.*}} 0 to 1000
func.func @in_halves(%x: memref<1000xf32>, %s: memref<f64>, %m: memref<f32>) {
  %zero = arith.constant 0.0 : f64
  %none = arith.constant 0.0 : f32
  %sum = affine.for %i = 0 to 1000 iter_args(%a = %zero) -> f64 {
    %v = affine.load %x[%i] : memref<1000xf32>
    %w = arith.extf %v : f32 to f64
    %b = arith.addf %a, %w : f64
    affine.yield %b : f64
  } {weft.lane, weft.reassociate}
  affine.store %sum, %s[] : memref<f64>
  %most = affine.for %i = 0 to 1000 iter_args(%a = %none) -> f32 {
    %v = affine.load %x[%i] : memref<1000xf32>
    %b = arith.maximumf %a, %v : f32
    affine.yield %b : f32
  } {weft.lane, weft.reassociate}
  affine.store %most, %m[] : memref<f32>
  return
}
}
