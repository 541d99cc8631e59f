// D705: inits have the types of the results.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<8xf64>, %t: tensor<9xf64>) -> tensor<8xf64> {
  // expected-error @below {{[D705] inits and results differ in number or type}}
  %y = weft.map [0] to [8] init(%t : tensor<9xf64>) stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %a = tensor.extract %x[%i] : tensor<8xf64>
    weft.yield %a : f64
  } : tensor<8xf64>
  return %y : tensor<8xf64>
}
