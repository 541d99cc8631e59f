// RUN: cat %target_avx512 %s | weft-opt - --expand-math | FileCheck %s
// A power of a half is a square root, but for minus infinity.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @roots(
// CHECK:         %[[ROOT:.*]] = math.sqrt %arg0 : f64
// CHECK:         %[[LEAST:.*]] = arith.cmpf oeq, %arg0, %{{.*}} : f64
// CHECK:         %[[A:.*]] = arith.select %[[LEAST]], %{{.*}}, %[[ROOT]] : f64
// CHECK:         %[[B:.*]] = arith.divf %{{.*}}, %{{.*}} : f64
// CHECK:         return %[[A]], %[[B]]
func.func @roots(%x: f64) -> (f64, f64) {
  %half = arith.constant 0.5 : f64
  %less = arith.constant -0.5 : f64
  %a = math.powf %x, %half : f64
  %b = math.powf %x, %less : f64
  return %a, %b : f64, f64
}
}
