// Reals are rounded to their own type; NaN wins in maximumf and loses in maxnumf.
// RUN: weft-interp %s | FileCheck %s

// CHECK: result0: float64 = 0.3
// CHECK-NEXT: result1: float32 = 16777216
// CHECK-NEXT: result2: float64 = -1.5
// CHECK-NEXT: result3: float64 = nan
// CHECK-NEXT: result4: float64 = 2
// CHECK-NEXT: result5: float64 = -0
// CHECK-NEXT: result6: float64 = inf
func.func @f() -> (f64, f32, f64, f64, f64, f64, f64) {
  %a = arith.constant 0.1 : f64
  %b = arith.constant 0.2 : f64
  %sum = arith.addf %a, %b : f64
  %big = arith.constant 16777216.0 : f32
  %one = arith.constant 1.0 : f32
  %lost = arith.addf %big, %one : f32
  %m = arith.constant -5.5 : f64
  %two = arith.constant 2.0 : f64
  %rest = arith.remf %m, %two : f64
  %nan = arith.constant 0x7FF8000000000000 : f64
  %max = arith.maximumf %nan, %two : f64
  %num = arith.maxnumf %nan, %two : f64
  %zero = arith.constant 0.0 : f64
  %less = arith.constant -0.0 : f64
  %min = arith.minimumf %zero, %less : f64
  %infinite = arith.divf %two, %zero : f64
  return %sum, %lost, %rest, %max, %num, %min, %infinite : f64, f32, f64, f64, f64, f64, f64
}
