// RUN: cat %target_avx512 %s | weft-opt - --pass-pipeline='builtin.module(unroll{factor=2})' | FileCheck %s
// RUN: cat %target_avx512 %s | not weft-opt - --pass-pipeline='builtin.module(unroll{factor=-1})' 2>&1 | FileCheck %s --check-prefix=ERR
// ERR: unroll: expected a factor of 0 (chosen by cost) or more, found -1

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @sum
// CHECK: affine.for %{{.*}} = 0 to 10 step 2 iter_args(%[[C:.*]] =
// CHECK:   %[[FIRST:.*]] = arith.addf %[[C]],
// CHECK:   arith.addf %[[FIRST]],
// CHECK:   affine.yield
// CHECK: return
func.func @sum(%x: memref<11xf64>, %zero: f64) -> f64 {
  %s = affine.for %i = 0 to 10 iter_args(%c = %zero) -> f64 {
    %v = affine.load %x[%i] : memref<11xf64>
    %n = arith.addf %c, %v : f64
    affine.yield %n : f64
  }
  return %s : f64
}
}
