// One thread of several cannot return for all.
// RUN: cat %target_portable %s | not weft-translate - --weft-to-c 2>&1 | FileCheck %s

// CHECK: no C form for `weft.fail_if` on target 'portable': a thread alone cannot end the kernel
module attributes {weft.target = #target} {
func.func @f(%x: memref<8xi64>) {
  %zero = arith.constant 0 : i64
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xi64>
    %bad = arith.cmpi slt, %a, %zero : i64
    weft.fail_if %bad code 4
  } {weft.parallel}
  return
}
}
