// D706: stores lie inside of the result.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<8xf64>) -> tensor<8xf64> {
  // expected-error @below {{[D706] store map 0 reaches 1 to 8 in dimension 0 of extent 8}}
  %y = weft.map [0] to [8] stores [affine_map<(i) -> (i + 1)>] {
  ^bb0(%i: index):
    %a = tensor.extract %x[%i] : tensor<8xf64>
    weft.yield %a : f64
  } : tensor<8xf64>
  return %y : tensor<8xf64>
}
