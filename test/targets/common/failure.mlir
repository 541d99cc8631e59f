// The kernel ends with its code where the condition holds.
// RUN: cat %target_portable %s | weft-translate - --weft-to-c | FileCheck %s
// RUN: cat %target_portable %s | weft-opt - --check-emittable | weft-translate - --weft-to-c | FileCheck %s

// CHECK: if (t0 < 0)
// CHECK-NEXT: return 4;
// CHECK: x1[0] = t0;
module attributes {weft.target = #target} {
func.func @f(%x: memref<1xi64>, %y: memref<1xi64>) {
  %zero = arith.constant 0 : i64
  %a = affine.load %x[0] : memref<1xi64>
  %bad = arith.cmpi slt, %a, %zero : i64
  weft.fail_if %bad code 4
  affine.store %a, %y[0] : memref<1xi64>
  return
}
}
