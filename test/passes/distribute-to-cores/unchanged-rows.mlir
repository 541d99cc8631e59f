// Rows of whole vectors, those of which something else is read than their elements, those that a
// schedule names, parts of rows, and those of which a variable is a number, stay loops of their own.
// RUN: cat %target_avx512 %s | weft-opt - --distribute-to-cores | FileCheck %s

// CHECK-NOT: reinterpret_cast
module attributes {weft.target = #target} {
func.func @whole_vectors(%x: memref<20x32xf32>, %y: memref<20x32xf32>) {
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 32 {
      %a = affine.load %x[%i, %j] : memref<20x32xf32>
      affine.store %a, %y[%i, %j] : memref<20x32xf32>
    } {weft.independent, weft.lane}
  } {weft.independent}
  return
}

func.func @row(%x: memref<13xf32>, %y: memref<20x13xf32>) {
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 13 {
      %a = affine.load %x[%j] : memref<13xf32>
      affine.store %a, %y[%i, %j] : memref<20x13xf32>
    } {weft.independent, weft.lane}
  } {weft.independent}
  return
}

func.func @named(%x: memref<20x13xf32>, %y: memref<20x13xf32>) {
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 13 {
      %a = affine.load %x[%i, %j] : memref<20x13xf32>
      affine.store %a, %y[%i, %j] : memref<20x13xf32>
    } {weft.independent, weft.lane, weft.vectorize = "vectorize y.axis1"}
  } {weft.independent}
  return
}

func.func @part(%x: memref<20x14xf32>, %y: memref<20x13xf32>) {
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 13 {
      %a = affine.load %x[%i, %j] : memref<20x14xf32>
      affine.store %a, %y[%i, %j] : memref<20x13xf32>
    } {weft.independent, weft.lane}
  } {weft.independent}
  return
}

func.func @turned(%x: memref<13x13xf32>, %y: memref<13x13xf32>) {
  affine.for %i = 0 to 13 {
    affine.for %j = 0 to 13 {
      %a = affine.load %x[%j, %i] : memref<13x13xf32>
      affine.store %a, %y[%i, %j] : memref<13x13xf32>
    } {weft.independent, weft.lane}
  } {weft.independent}
  return
}

func.func @numbers(%y: memref<20x13xi64>) {
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 13 {
      %a = arith.index_cast %j : index to i64
      affine.store %a, %y[%i, %j] : memref<20x13xi64>
    } {weft.independent, weft.lane}
  } {weft.independent}
  return
}

func.func @sums(%x: memref<20x13x5xf64>, %y: memref<20x13xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 13 {
      %sum = affine.for %k = 0 to 5 iter_args(%s = %zero) -> f64 {
        %a = affine.load %x[%i, %j, %k] : memref<20x13x5xf64>
        %t = arith.addf %s, %a : f64
        affine.yield %t : f64
      } {weft.reassociate}
      affine.store %sum, %y[%i, %j] : memref<20x13xf64>
    } {weft.independent}
  } {weft.independent}
  return
}
}
