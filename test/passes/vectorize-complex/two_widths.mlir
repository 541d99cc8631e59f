// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE
// Where numbers of two widths meet, and nothing else would go lane by lane, a loop stays plain: the C
// compiler widens half a vector at once. Not where a schedule names the loop, an element lies apart or
// is chosen by truth values in memory.

// NOTE: rejected {{.*}}Why="numbers of two widths meet: the C compiler widens whole vectors of a plain loop"

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @conditions
// CHECK-NOT:   vector<
// CHECK:       return
func.func @conditions(%x: memref<64xf32>, %z: memref<64xf64>, %y: memref<64xi1>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f64
  affine.for %i = 0 to 64 {
    %a = affine.load %x[%i] : memref<64xf32>
    %b = affine.load %z[%i] : memref<64xf64>
    %above = arith.cmpf ogt, %a, %zero : f32
    %below = arith.cmpf olt, %b, %one : f64
    %both = arith.andi %above, %below : i1
    affine.store %both, %y[%i] : memref<64xi1>
  } {weft.lane}
  return
}

// CHECK-LABEL: func.func @asked
// CHECK:       vector<8xf64>
func.func @asked(%x: memref<64xf32>, %z: memref<64xf64>, %y: memref<64xf64>) {
  affine.for %i = 0 to 64 {
    %a = affine.load %x[%i] : memref<64xf32>
    %b = affine.load %z[%i] : memref<64xf64>
    %wide = arith.extf %a : f32 to f64
    %sum = arith.addf %wide, %b : f64
    %product = arith.mulf %sum, %b : f64
    affine.store %product, %y[%i] : memref<64xf64>
  } {weft.lane, weft.vectorize = "vectorize y.axis0"}
  return
}

// CHECK-LABEL: func.func @apart
// CHECK:       vector<8xf64>
func.func @apart(%x: memref<64x9xf32>, %z: memref<64xf64>, %y: memref<64xf64>) {
  affine.for %i = 0 to 64 {
    %a = affine.load %x[%i, 0] : memref<64x9xf32>
    %b = affine.load %z[%i] : memref<64xf64>
    %wide = arith.extf %a : f32 to f64
    %sum = arith.addf %wide, %b : f64
    %product = arith.mulf %sum, %b : f64
    affine.store %product, %y[%i] : memref<64xf64>
  } {weft.lane}
  return
}

// CHECK-LABEL: func.func @chosen
// CHECK:       vector<8xi64>
func.func @chosen(%keep: memref<64xi1>, %x: memref<64xi32>, %y: memref<64xi64>) {
  %zero = arith.constant 0 : i64
  affine.for %i = 0 to 64 {
    %k = affine.load %keep[%i] : memref<64xi1>
    %a = affine.load %x[%i] : memref<64xi32>
    %wide = arith.extsi %a : i32 to i64
    %chosen = arith.select %k, %wide, %zero : i64
    affine.store %chosen, %y[%i] : memref<64xi64>
  } {weft.lane}
  return
}
}
