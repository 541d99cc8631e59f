// D801: the range of a reduction holds a point.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<8xf64>) -> tensor<f64> {
  %y = weft.map [] to [] stores [affine_map<() -> ()>] {
    // expected-error @below {{[D801] empty range 8 to 8}}
    %s = weft.reduce sum [8] to [8] {
    ^bb0(%k: index):
      %a = tensor.extract %x[%k] : tensor<8xf64>
      weft.yield %a : f64
    } : f64
    weft.yield %s : f64
  } : tensor<f64>
  return %y : tensor<f64>
}
