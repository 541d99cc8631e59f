// RUN: weft-interp %s --entry f | FileCheck %s
// RUN: not weft-interp %s --entry twice 2>&1 | FileCheck %s --check-prefix=TWICE

// CHECK: result0: float64[3, 2] = {{\[\[}}1, 4], [2, 5], [3, 6]]
// CHECK-NEXT: result1: float64[4] = [1, 10, 10, 4]
func.func @f() -> (tensor<3x2xf64>, tensor<4xf64>) {
  %x = weft.table dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  %y = weft.map [0, 0] to [2, 3] stores [affine_map<(i, j) -> (j, i)>] {
  ^bb0(%i: index, %j: index):
    %a = tensor.extract %x[%i, %j] : tensor<2x3xf64>
    weft.yield %a : f64
  } : tensor<3x2xf64>
  // What no point stores keeps the value of the init.
  %init = weft.table dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %z = weft.map [1] to [3] init(%init : tensor<4xf64>) stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %ten = arith.constant 10.0 : f64
    weft.yield %ten : f64
  } : tensor<4xf64>
  return %y, %z : tensor<3x2xf64>, tensor<4xf64>
}

// TWICE: [[#@LINE+2]]:8: error: 'weft.map' op gives element [0] of result 0 twice
func.func @twice() -> tensor<4xf64> {
  %y = weft.map [0] to [4] stores [affine_map<(i) -> (i floordiv 2)>] {
  ^bb0(%i: index):
    %ten = arith.constant 10.0 : f64
    weft.yield %ten : f64
  } : tensor<4xf64>
  return %y : tensor<4xf64>
}
