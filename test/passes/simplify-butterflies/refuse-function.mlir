// A complex function without a real form is named with its place.
// RUN: weft-opt %s --simplify-butterflies -verify-diagnostics

module attributes {weft.target = {name = "test", fma = false}} {
func.func @f(%x: tensor<8xcomplex<f64>>, %s: tensor<8xf64>) -> tensor<8xcomplex<f64>> {
  %y = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %a = tensor.extract %x[%i] : tensor<8xcomplex<f64>>
    %r = tensor.extract %s[%i] : tensor<8xf64>
    // expected-error @below {{no real form of 'complex.tan'}}
    %t = complex.tan %a : complex<f64>
    weft.yield %t : complex<f64>
  } : tensor<8xcomplex<f64>>
  return %y : tensor<8xcomplex<f64>>
}
}
