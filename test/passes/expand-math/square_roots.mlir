// RUN: cat %target_avx512 %s | weft-opt - --expand-math | FileCheck %s
// Powers of halves are square roots and products; 0.5 as NumPy has it, without minus infinity.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @roots(
// CHECK:         %[[A:.*]] = math.sqrt %arg0 : f64
// CHECK:         %[[ROOT:.*]] = math.sqrt %arg0 : f64
// CHECK:         %[[INVERSE:.*]] = arith.divf %{{.*}}, %[[ROOT]]
// CHECK:         %[[UNSIGNED:.*]] = math.absf %[[INVERSE]]
// CHECK:         %[[INFINITE:.*]] = arith.cmpf oeq, %arg0, %{{.*}}
// CHECK:         %[[B:.*]] = arith.select %[[INFINITE]], %{{.*}}, %[[UNSIGNED]]
// CHECK:         return %[[A]], %[[B]]
func.func @roots(%x: f64) -> (f64, f64) {
  %half = arith.constant 0.5 : f64
  %less = arith.constant -0.5 : f64
  %a = math.powf %x, %half : f64
  %b = math.powf %x, %less : f64
  return %a, %b : f64, f64
}

// CHECK-LABEL: func.func @three_halves(
// CHECK:         %[[ROOT:.*]] = math.sqrt %arg0 : f32
// CHECK:         arith.mulf %arg0, %[[ROOT]] : f32
// CHECK-NOT:     math.powf
func.func @three_halves(%x: f32) -> f32 {
  %c = arith.constant 1.5 : f32
  %a = math.powf %x, %c : f32
  return %a : f32
}
}
