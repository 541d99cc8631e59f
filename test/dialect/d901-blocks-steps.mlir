// D901: steps divide the range.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<8xf64>) -> tensor<8xf64> {
  // expected-error @below {{[D901] step 3 does not divide 0 to 8}}
  %y = weft.blocks [0] to [8] steps [3] places [affine_map<(b, i) -> (b + i)>] {
  ^bb0(%b: index):
    %t = weft.map [0] to [4] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %a = tensor.extract %x[%i] : tensor<8xf64>
      weft.yield %a : f64
    } : tensor<4xf64>
    weft.yield %t : tensor<4xf64>
  } : tensor<8xf64>
  return %y : tensor<8xf64>
}
