// D802: the body takes one index for each dimension.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<8xf64>) -> tensor<f64> {
  %y = weft.map [] to [] stores [affine_map<() -> ()>] {
    // expected-error @below {{[D802] the body takes 2 arguments: expected 1 of type index}}
    %s = weft.reduce sum [0] to [8] {
    ^bb0(%k: index, %l: index):
      %a = tensor.extract %x[%k] : tensor<8xf64>
      weft.yield %a : f64
    } : f64
    weft.yield %s : f64
  } : tensor<f64>
  return %y : tensor<f64>
}
