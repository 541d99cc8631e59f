// D702: the body takes one index for each dimension.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<8xf64>) -> tensor<8xf64> {
  // expected-error @below {{[D702] the body takes 2 arguments: expected 1 of type index}}
  %y = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index, %j: index):
    %a = tensor.extract %x[%i] : tensor<8xf64>
    weft.yield %a : f64
  } : tensor<8xf64>
  return %y : tensor<8xf64>
}
