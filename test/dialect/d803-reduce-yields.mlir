// D803: the body yields one value of the type of the result.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<8xf64>) -> tensor<f64> {
  %y = weft.map [] to [] stores [affine_map<() -> ()>] {
    // expected-error @below {{[D803] the body must yield one value of type}}
    %s = weft.reduce sum [0] to [8] {
    ^bb0(%k: index):
      %a = tensor.extract %x[%k] : tensor<8xf64>
      weft.yield %a, %a : f64, f64
    } : f64
    weft.yield %s : f64
  } : tensor<f64>
  return %y : tensor<f64>
}
