// Where the copy has rows its source has columns: elements would be fetched one by one.
// RUN: weft-opt %s --canonicalize > %t
// RUN: weft-opt %s --eliminate-transposes --canonicalize | diff %t -
// RUN: weft-opt %s --eliminate-transposes --remarks-filter='.*' --remark-policy=all -o /dev/null 2>&1 | FileCheck %s

// CHECK: eliminate-transposes
// CHECK-SAME: its rows are columns there: elements would be fetched one by one
func.func @columns(%x: tensor<8x4xf64>) -> tensor<2x2x8xf64> {
  %t = weft.map [0, 0] to [4, 8] stores [affine_map<(a, b) -> (a, b)>] {
  ^bb0(%a: index, %b: index):
    %v = tensor.extract %x[%b, %a] : tensor<8x4xf64>
    weft.yield %v : f64
  } : tensor<4x8xf64>
  %r = weft.reshape %t : tensor<4x8xf64> -> tensor<2x2x8xf64>
  %y = weft.map [0, 0, 0] to [2, 2, 8] stores [affine_map<(i, j, k) -> (i, j, k)>] {
  ^bb0(%i: index, %j: index, %k: index):
    %v = tensor.extract %r[%i, %j, %k] : tensor<2x2x8xf64>
    weft.yield %v : f64
  } : tensor<2x2x8xf64>
  return %y : tensor<2x2x8xf64>
}

// CHECK: eliminate-transposes
// CHECK-SAME: its rows are read as something else
func.func @rows(%x: tensor<4x2x8xf64>) -> tensor<2x2x16xf64> {
  %t = weft.map [0, 0, 0] to [2, 4, 8] stores [affine_map<(a, b, c) -> (a, b, c)>] {
  ^bb0(%a: index, %b: index, %c: index):
    %v = tensor.extract %x[%b, %a, %c] : tensor<4x2x8xf64>
    weft.yield %v : f64
  } : tensor<2x4x8xf64>
  %r = weft.reshape %t : tensor<2x4x8xf64> -> tensor<2x2x16xf64>
  %y = weft.map [0, 0, 0] to [2, 2, 16] stores [affine_map<(i, j, k) -> (i, j, k)>] {
  ^bb0(%i: index, %j: index, %k: index):
    %v = tensor.extract %r[%i, %j, %k] : tensor<2x2x16xf64>
    weft.yield %v : f64
  } : tensor<2x2x16xf64>
  return %y : tensor<2x2x16xf64>
}
