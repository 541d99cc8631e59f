// A loop that carries several sums is unrolled by a divisor of its iterations: upstream's
// loop for the rest would start every sum from the last one.
// RUN: weft-opt %s --unroll=factor=4 | FileCheck %s

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, max_unroll = 8 : i64}} {
  // CHECK: affine.for {{.*}} = 0 to 33 step 3 iter_args
  // CHECK-NOT: affine.for
  // CHECK: return
  func.func @f(%x: memref<33xf64>, %y: memref<33xf64>, %s: memref<2xf64>) {
    %zero = arith.constant 0.0 : f64
    %sums:2 = affine.for %i = 0 to 33 iter_args(%a = %zero, %b = %zero) -> (f64, f64) {
      %p = affine.load %x[%i] : memref<33xf64>
      %q = affine.load %y[%i] : memref<33xf64>
      %c = arith.addf %a, %p : f64
      %d = arith.addf %b, %q : f64
      affine.yield %c, %d : f64, f64
    }
    affine.store %sums#0, %s[0] : memref<2xf64>
    affine.store %sums#1, %s[1] : memref<2xf64>
    return
  }
}
