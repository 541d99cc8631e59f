// Nobody said that the order is free; and a value that is used twice is no sum alone.
// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex --remarks-filter=.* \
// RUN:   --remark-policy=all 2>&1 | FileCheck %s

// CHECK: [Missed] rejected {{.*}}Why="it accumulates from one iteration to the next, in order
// CHECK: [Missed] rejected {{.*}}Why="what it carries from one iteration to the next is not one operation
// CHECK-NOT: vector<
module attributes {weft.target = #target} {
  func.func @in_order(%x: memref<32xf64>, %s: memref<f64>) {
    %zero = arith.constant 0.0 : f64
    %sum = affine.for %i = 0 to 32 iter_args(%before = %zero) -> (f64) {
      %e = affine.load %x[%i] : memref<32xf64>
      %next = arith.addf %before, %e : f64
      affine.yield %next : f64
    } {weft.lane}
    affine.store %sum, %s[] : memref<f64>
    return
  }
  func.func @running(%x: memref<32xf64>, %y: memref<32xf64>, %s: memref<f64>) {
    %zero = arith.constant 0.0 : f64
    %sum = affine.for %i = 0 to 32 iter_args(%before = %zero) -> (f64) {
      %e = affine.load %x[%i] : memref<32xf64>
      affine.store %before, %y[%i] : memref<32xf64>
      %next = arith.addf %before, %e : f64
      affine.yield %next : f64
    } {weft.lane, weft.reassociate}
    affine.store %sum, %s[] : memref<f64>
    return
  }
}
