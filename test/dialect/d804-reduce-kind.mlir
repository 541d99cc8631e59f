// D804: complex numbers have no maximum.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%x: tensor<8xcomplex<f64>>) -> tensor<complex<f64>> {
  %y = weft.map [] to [] stores [affine_map<() -> ()>] {
    // expected-error @below {{[D804] max of complex numbers: they have no order}}
    %s = weft.reduce max [0] to [8] {
    ^bb0(%k: index):
      %a = tensor.extract %x[%k] : tensor<8xcomplex<f64>>
      weft.yield %a : complex<f64>
    } : complex<f64>
    weft.yield %s : complex<f64>
  } : tensor<complex<f64>>
  return %y : tensor<complex<f64>>
}
