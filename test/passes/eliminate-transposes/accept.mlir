// A transposed copy that is read in another shape: its readers go to where it comes from.
// RUN: weft-opt %s --eliminate-transposes | FileCheck %s
// RUN: weft-interp %s --random 1 > %t
// RUN: weft-opt %s --eliminate-transposes | weft-interp - --random 1 | diff %t -

// CHECK-DAG: #[[$PART:.*]] = affine_map<(d0, d1, d2) -> (d1 floordiv 3)>
// CHECK-DAG: #[[$OWN:.*]] = affine_map<(d0, d1, d2) -> (d1 mod 3)>
// CHECK-LABEL: func.func @f
// CHECK-NOT:     weft.reshape
// CHECK:         ^bb0(%[[I:.*]]: index{{.*}}, %[[J:.*]]: index{{.*}}, %[[K:.*]]: index
// CHECK-DAG:       %[[G:.*]] = affine.apply #[[$PART]](%[[I]], %[[J]], %[[K]])
// CHECK-DAG:       %[[R:.*]] = affine.apply #[[$OWN]](%[[I]], %[[J]], %[[K]])
// CHECK:           tensor.extract %arg0[%[[G]], %[[I]], %[[R]], %[[K]]]
func.func @f(%x: tensor<4x2x3x8xf64>) -> tensor<2x12x8xf64> {
  %t = weft.map [0, 0, 0, 0] to [2, 4, 3, 8] stores [affine_map<(a, b, c, d) -> (a, b, c, d)>] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    %v = tensor.extract %x[%b, %a, %c, %d] : tensor<4x2x3x8xf64>
    weft.yield %v : f64
  } : tensor<2x4x3x8xf64>
  %r = weft.reshape %t : tensor<2x4x3x8xf64> -> tensor<2x12x8xf64>
  %y = weft.map [0, 0, 0] to [2, 12, 8] stores [affine_map<(i, j, k) -> (i, j, k)>] {
  ^bb0(%i: index, %j: index, %k: index):
    %v = tensor.extract %r[%i, %j, %k] : tensor<2x12x8xf64>
    %w = arith.addf %v, %v : f64
    weft.yield %w : f64
  } : tensor<2x12x8xf64>
  return %y : tensor<2x12x8xf64>
}
