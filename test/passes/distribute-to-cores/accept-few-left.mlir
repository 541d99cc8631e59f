// Blocks of a sum are as long as leaves few iterations behind the last one: of 191, 63 blocks of 3 and
// 2 behind them, not 64 blocks of 2 and 63 behind them.
// RUN: cat %target_sw26010 %s | weft-opt - --distribute-to-cores | FileCheck %s

// CHECK-LABEL: func.func @columns
// CHECK:         memref.alloc() : memref<63x60xf64>
// CHECK:         affine.for %{{.*}} = 0 to 63 {
// CHECK:           affine.for %{{.*}} = 0 to 60 {
// CHECK:             affine.for %{{.*}} = 0 to 3 iter_args
// CHECK:           affine.for %{{.*}} = 0 to 63 iter_args
// CHECK:           affine.for %{{.*}} = 189 to 191 iter_args
module attributes {weft.target = #target} {
  func.func @columns(%x: memref<191x60xf64>, %y: memref<60xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %i = 0 to 60 {
      %s = affine.for %k = 0 to 191 iter_args(%sum = %zero) -> f64 {
        %v = affine.load %x[%k, %i] : memref<191x60xf64>
        %next = arith.addf %sum, %v : f64
        affine.yield %next : f64
      }
      affine.store %s, %y[%i] : memref<60xf64>
    } {weft.independent}
    return
  }
}
