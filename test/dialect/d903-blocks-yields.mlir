// D903: one tensor for each result.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<8xf64>) -> tensor<8xf64> {
  // expected-error @below {{[D903] 2 values and 1 places for 1 results}}
  %y = weft.blocks [0] to [8] steps [4] places [affine_map<(b, i) -> (b + i)>] {
  ^bb0(%b: index):
    %t = weft.map [0] to [4] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %a = tensor.extract %x[%i] : tensor<8xf64>
      weft.yield %a : f64
    } : tensor<4xf64>
    weft.yield %t, %t : tensor<4xf64>, tensor<4xf64>
  } : tensor<8xf64>
  return %y : tensor<8xf64>
}
