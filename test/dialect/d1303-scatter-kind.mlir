// D1303: kinds; complex numbers have no order.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%base: tensor<16xcomplex<f64>>, %idx: tensor<8xi64>, %v: tensor<8xcomplex<f64>>) -> tensor<16xcomplex<f64>> {
  // expected-error @below {{[D1303] max of complex numbers: they have no order}}
  %y = weft.scatter max %base, %idx, %v : tensor<16xcomplex<f64>>, tensor<8xi64>, tensor<8xcomplex<f64>> -> tensor<16xcomplex<f64>>
  return %y : tensor<16xcomplex<f64>>
}
