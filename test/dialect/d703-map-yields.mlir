// D703: one value for each store.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<8xf64>) -> tensor<8xf64> {
  // expected-error @below {{[D703] 2 values are yielded for 1 stores}}
  %y = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %a = tensor.extract %x[%i] : tensor<8xf64>
    weft.yield %a, %a : f64, f64
  } : tensor<8xf64>
  return %y : tensor<8xf64>
}
