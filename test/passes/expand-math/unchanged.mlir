// RUN: cat %target_avx512 %s | weft-opt - --expand-math | FileCheck %s
// The C library keeps what has no short form.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @calls
// CHECK: math.sin
// CHECK: math.powf
// CHECK: math.powf
func.func @calls(%x: f64, %n: f64) -> f64 {
  %half = arith.constant 2.5 : f64
  %a = math.sin %x : f64
  %b = math.powf %a, %n : f64
  %c = math.powf %b, %half : f64
  return %c : f64
}
}
