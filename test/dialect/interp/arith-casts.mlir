// RUN: weft-interp %s | FileCheck %s

// CHECK: result0: int64 = -1
// CHECK-NEXT: result1: int64 = 1
// CHECK-NEXT: result2: int64 = -2
// CHECK-NEXT: result3: float64 = 4294967295
// CHECK-NEXT: result4: int64 = 4607182418800017408
// CHECK-NEXT: result5: float32 = 0.1
// CHECK-NEXT: result6: int32 = 1
func.func @f() -> (i64, i64, i64, f64, i64, f32, i32) {
  %true = arith.constant true
  %signed = arith.extsi %true : i1 to i64
  %unsigned = arith.extui %true : i1 to i64
  %x = arith.constant -2.9 : f64
  %toward_zero = arith.fptosi %x : f64 to i64
  %m = arith.constant -1 : i32
  %big = arith.uitofp %m : i32 to f64
  %one = arith.constant 1.0 : f64
  %bits = arith.bitcast %one : f64 to i64
  %tenth = arith.constant 0.1 : f64
  %narrow = arith.truncf %tenth : f64 to f32
  %many = arith.constant 4294967297 : i64
  %low = arith.trunci %many : i64 to i32
  return %signed, %unsigned, %toward_zero, %big, %bits, %narrow, %low
    : i64, i64, i64, f64, i64, f32, i32
}
