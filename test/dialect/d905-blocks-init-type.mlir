// D905: inits have the types of the results.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<8xf64>, %t0: tensor<9xf64>) -> tensor<8xf64> {
  // expected-error @below {{[D905] inits and results differ in number or type}}
  %y = weft.blocks [0] to [8] steps [4] init(%t0 : tensor<9xf64>) places [affine_map<(b, i) -> (b + i)>] {
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
