// RUN: weft-interp %s | FileCheck %s

// CHECK: result0: float64 = 2.71828182845905
// CHECK-NEXT: result1: float64 = 1.4142135623731
// CHECK-NEXT: result2: float64 = 2
// CHECK-NEXT: result3: float64 = 1.11022302462516e-16
// CHECK-NEXT: result4: int64 = -243
// CHECK-NEXT: result5: float64 = -1
// CHECK-NEXT: result6: float64 = 0.25
func.func @f() -> (f64, f64, f64, f64, i64, f64, f64) {
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %e = math.exp %one : f64
  %root = math.sqrt %two : f64
  %half = arith.constant 2.5 : f64
  %even = math.roundeven %half : f64
  // The rounding error of a product, which only a fused operation sees.
  %a = arith.constant 1.0000000000000002 : f64
  %b = arith.constant 0.9999999999999999 : f64
  %p = arith.mulf %a, %b : f64
  %minus = arith.negf %p : f64
  %error = math.fma %a, %b, %minus : f64
  %m = arith.constant -3 : i64
  %five = arith.constant 5 : i64
  %power = math.ipowi %m, %five : i64
  %less = arith.constant -4.0 : f64
  %sign = math.copysign %one, %less : f64
  %n = arith.constant -2 : i32
  %square = math.fpowi %two, %n : f64, i32
  return %e, %root, %even, %error, %power, %sign, %square : f64, f64, f64, f64, i64, f64, f64
}
