// What is undefined may be computed and left, as in a lane that a select drops; it may not leave.
// RUN: weft-interp %s --entry dropped | FileCheck %s
// RUN: not weft-interp %s --entry kept 2>&1 | FileCheck %s --check-prefix=KEPT

// CHECK: result0: int32 = 5
func.func @dropped() -> i32 {
  %huge = arith.constant 1.0e+30 : f64
  %five = arith.constant 5 : i32
  %no = arith.constant false
  %n = arith.fptosi %huge : f64 to i32
  %more = arith.addi %n, %five : i32
  %y = arith.select %no, %more, %five : i32
  return %y : i32
}

// KEPT: error: 'func.func' op output result0 [] is an element that was never written or is undefined
// KEPT: [[#@LINE+5]]:8: note: the element comes from here
func.func @kept() -> i32 {
  %one = arith.constant 1 : i32
  %places = arith.constant 32 : i32
  // As wide as the number.
  %n = arith.shli %one, %places : i32
  return %n : i32
}
