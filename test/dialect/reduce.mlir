// A sum over a range.
// RUN: weft-opt %s | weft-opt | FileCheck %s

// CHECK: weft.reduce sum [0] to [8] {
// CHECK: } : f64
func.func @f(%x: tensor<8xf64>) -> tensor<f64> {
  %y = weft.map [] to [] stores [affine_map<() -> ()>] {
    %s = weft.reduce sum [0] to [8] {
    ^bb0(%k: index):
      %a = tensor.extract %x[%k] : tensor<8xf64>
      weft.yield %a : f64
    } : f64
    weft.yield %s : f64
  } : tensor<f64>
  return %y : tensor<f64>
}
