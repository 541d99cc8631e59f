// RUN: cat %target_portable %s | weft-translate - --weft-to-c | FileCheck %s

// 15 products summed, one addition more for each of 3; nothing for what is unused.

// CHECK: /* f, <stdin>:
// CHECK: operations: 33 flops, 18 additions, 15 multiplications, 18 loads, 3 stores
// CHECK: bytes: arguments 144 read, arguments 24 written
// CHECK: scratch: 0 bytes
module attributes {weft.target = #target} {
  func.func @f(%x: memref<3x5xf64> {weft.role = "in"}, %y: memref<3xf64> {weft.role = "out"}) {
    %zero = arith.constant 0.0 : f64
    affine.for %i = 0 to 3 {
      %s = affine.for %j = 0 to 5 iter_args(%c = %zero) -> f64 {
        %a = affine.load %x[%i, %j] : memref<3x5xf64>
        %p = arith.mulf %a, %a : f64
        %unused = arith.divf %p, %a : f64
        %n = arith.addf %c, %p : f64
        affine.yield %n : f64
      }
      %b = affine.load %x[%i, 0] : memref<3x5xf64>
      %t = arith.addf %s, %b : f64
      affine.store %t, %y[%i] : memref<3xf64>
    }
    return
  }
}
