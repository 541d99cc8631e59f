// A complex sum stays, its body becomes real.
// RUN: weft-opt %s --simplify-butterflies | FileCheck %s

// CHECK:       %[[SUM:.*]] = weft.reduce sum [0] to [8] {
// CHECK-NOT:     complex.mul
// CHECK:         complex.create
// CHECK-NEXT:    weft.yield
// CHECK:       } : complex<f64>
// CHECK:       complex.re %[[SUM]]
module attributes {weft.target = {name = "test", fma = false}} {
func.func @f(%x: tensor<8xcomplex<f64>>, %s: tensor<8xf64>) -> tensor<8xcomplex<f64>> {
  %y = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %a = tensor.extract %x[%i] : tensor<8xcomplex<f64>>
    %r = tensor.extract %s[%i] : tensor<8xf64>
    %t = weft.reduce sum [0] to [8] {
    ^bb0(%k: index):
      %b = tensor.extract %x[%k] : tensor<8xcomplex<f64>>
      %p = complex.mul %a, %b : complex<f64>
      weft.yield %p : complex<f64>
    } : complex<f64>
    %y0 = complex.neg %t : complex<f64>
    weft.yield %y0 : complex<f64>
  } : tensor<8xcomplex<f64>>
  return %y : tensor<8xcomplex<f64>>
}
}
