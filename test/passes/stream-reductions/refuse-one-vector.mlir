// Sums of one vector stay in its register: no array.
// RUN: cat %target_avx512 %s | weft-opt - --stream-reductions --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s

// CHECK: rejected {{.*}}What="a loop: rows that pass by an array of sums", Why="its 7 sums of one vector of 16 stay in a register"
// CHECK-NOT: memref.alloca
module attributes {weft.target = #target} {
  func.func @f(%x: memref<3000x7xf32>, %y: memref<7xf32>) {
    %zero = arith.constant 0.0 : f32
    affine.for %j = 0 to 7 {
      %s = affine.for %i = 0 to 3000 iter_args(%before = %zero) -> (f32) {
        %e = affine.load %x[%i, %j] : memref<3000x7xf32>
        %next = arith.addf %before, %e : f32
        affine.yield %next : f32
      }
      affine.store %s, %y[%j] : memref<7xf32>
    } {weft.independent, weft.lane}
    return
  }
}
