// What a loop carries stays a sum, and so do sums of single numbers, of a body that runs once, and of one with nearly as
// many products; a body that needs all registers stays as it is.
// RUN: sed 's/vector_bytes/sums_apart = true, vector_bytes/' %target_avx512 > %t
// RUN: cat %t %s | weft-opt - --balance-sums | FileCheck %s
// RUN: sed 's/vector_registers = 32/vector_registers = 4/' %t > %t.few
// RUN: cat %t.few %s | weft-opt - --balance-sums | FileCheck %s --check-prefix=FEW

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @carried
// CHECK-NOT:     math.fma
func.func @carried(%x: memref<64xf64>) -> vector<8xf64> {
  %zero = arith.constant dense<0.0> : vector<8xf64>
  %sum = affine.for %i = 0 to 64 step 8 iter_args(%sum = %zero) -> vector<8xf64> {
    %p = affine.vector_load %x[%i] : memref<64xf64>, vector<8xf64>
    %1 = arith.addf %sum, %p : vector<8xf64>
    %2 = arith.addf %1, %p : vector<8xf64>
    affine.yield %2 : vector<8xf64>
  }
  return %sum : vector<8xf64>
}

// CHECK-LABEL: func.func @numbers
// CHECK-NOT:     math.fma
func.func @numbers(%x: memref<64xf64>) {
  affine.for %i = 0 to 64 {
    %p = affine.load %x[%i] : memref<64xf64>
    %1 = arith.addf %p, %p : f64
    %2 = arith.addf %1, %p : f64
    affine.store %2, %x[%i] : memref<64xf64>
  }
  return
}

// CHECK-LABEL: func.func @once
// CHECK-NOT:     math.fma
func.func @once(%x: memref<64xf64>) {
  %p = affine.vector_load %x[0] : memref<64xf64>, vector<8xf64>
  %1 = arith.addf %p, %p : vector<8xf64>
  %2 = arith.addf %1, %p : vector<8xf64>
  affine.vector_store %2, %x[0] : memref<64xf64>, vector<8xf64>
  return
}

// CHECK-LABEL: func.func @nearly_even
// CHECK-NOT:     math.fma
func.func @nearly_even(%x: memref<64xf64>) {
  affine.for %i = 0 to 64 step 8 {
    %p = affine.vector_load %x[%i] : memref<64xf64>, vector<8xf64>
    %1 = arith.addf %p, %p : vector<8xf64>
    %2 = arith.addf %1, %p : vector<8xf64>
    %3 = arith.addf %2, %p : vector<8xf64>
    %4 = arith.addf %3, %p : vector<8xf64>
    %5 = arith.mulf %4, %p : vector<8xf64>
    %6 = arith.mulf %5, %p : vector<8xf64>
    %7 = arith.mulf %6, %p : vector<8xf64>
    affine.vector_store %7, %x[%i] : memref<64xf64>, vector<8xf64>
  }
  return
}

// CHECK-LABEL: func.func @many
// CHECK:         math.fma
// FEW-LABEL:   func.func @many
// FEW-NOT:       math.fma
func.func @many(%x: memref<64xf64>) {
  affine.for %i = 0 to 2 {
    %a = affine.vector_load %x[0] : memref<64xf64>, vector<8xf64>
    %b = affine.vector_load %x[8] : memref<64xf64>, vector<8xf64>
    %c = affine.vector_load %x[16] : memref<64xf64>, vector<8xf64>
    %d = affine.vector_load %x[24] : memref<64xf64>, vector<8xf64>
    %1 = arith.addf %a, %b : vector<8xf64>
    %2 = arith.addf %c, %d : vector<8xf64>
    %3 = arith.subf %a, %c : vector<8xf64>
    %4 = arith.subf %b, %d : vector<8xf64>
    affine.vector_store %1, %x[0] : memref<64xf64>, vector<8xf64>
    affine.vector_store %2, %x[8] : memref<64xf64>, vector<8xf64>
    affine.vector_store %3, %x[16] : memref<64xf64>, vector<8xf64>
    affine.vector_store %4, %x[24] : memref<64xf64>, vector<8xf64>
  }
  return
}
}
