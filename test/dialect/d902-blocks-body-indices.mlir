// D902: the body takes one index for each dimension.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<8xf64>) -> tensor<8xf64> {
  // expected-error @below {{[D902] the body takes 2 arguments: expected 1 of type index}}
  %y = weft.blocks [0] to [8] steps [4] places [affine_map<(b, i) -> (b + i)>] {
  ^bb0(%b: index, %c: index):
    %t = weft.map [0] to [4] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %a = tensor.extract %x[%i] : tensor<8xf64>
      weft.yield %a : f64
    } : tensor<4xf64>
    weft.yield %t : tensor<4xf64>
  } : tensor<8xf64>
  return %y : tensor<8xf64>
}
