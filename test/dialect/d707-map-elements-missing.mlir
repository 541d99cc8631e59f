// D707: without init every element is stored.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<8xf64>) -> tensor<8xf64> {
  // expected-error @below {{[D707] 4 elements are stored of 8: expected each once, or an init}}
  %y = weft.map [0] to [4] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %a = tensor.extract %x[%i] : tensor<8xf64>
    weft.yield %a : f64
  } : tensor<8xf64>
  return %y : tensor<8xf64>
}
