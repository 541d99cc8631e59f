// RUN: cat %target_avx512 %s | weft-opt - --expand-math | FileCheck %s
// Small whole exponents become multiplications, by repeated squaring.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @fifth
// CHECK-SAME:  (%[[X:.*]]: f64)
// CHECK:       %[[X2:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK:       %[[X4:.*]] = arith.mulf %[[X2]], %[[X2]]
// CHECK:       %[[X5:.*]] = arith.mulf %[[X]], %[[X4]]
// CHECK:       return %[[X5]]
func.func @fifth(%x: f64) -> f64 {
  %five = arith.constant 5.0 : f64
  %y = math.powf %x, %five : f64
  return %y : f64
}

// CHECK-LABEL: func.func @reciprocal
// CHECK:       %[[SQUARE:.*]] = arith.mulf
// CHECK:       arith.divf %{{.*}}, %[[SQUARE]]
func.func @reciprocal(%x: f32) -> f32 {
  %n = arith.constant -2 : i32
  %y = math.fpowi %x, %n : f32, i32
  return %y : f32
}

// CHECK-LABEL: func.func @whole
// CHECK-NOT:   math.ipowi
// CHECK:       arith.muli
func.func @whole(%x: i64) -> i64 {
  %n = arith.constant 2 : i64
  %y = math.ipowi %x, %n : i64
  return %y : i64
}
}
