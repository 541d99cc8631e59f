// RUN: cat %target_avx512 %s | weft-opt - --expand-math | FileCheck %s
// A power of a half is a square root, as in NumPy; its inverse is left to the C library.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @roots(
// CHECK:         %[[A:.*]] = math.sqrt %arg0 : f64
// CHECK:         %[[B:.*]] = math.powf %arg0, %{{.*}} : f64
// CHECK:         return %[[A]], %[[B]]
func.func @roots(%x: f64) -> (f64, f64) {
  %half = arith.constant 0.5 : f64
  %less = arith.constant -0.5 : f64
  %a = math.powf %x, %half : f64
  %b = math.powf %x, %less : f64
  return %a, %b : f64, f64
}
}
