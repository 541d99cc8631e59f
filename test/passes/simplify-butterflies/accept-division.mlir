// A quotient divides by the larger part: no branch, no overflow in between.
// RUN: weft-opt %s --simplify-butterflies | FileCheck %s

// CHECK:         arith.cmpf oge
// CHECK-COUNT-3: arith.divf
// CHECK-NOT:     arith.divf
// CHECK-NOT:     complex.div
module attributes {weft.target = {name = "test", fma = false}} {
func.func @f(%x: tensor<8xcomplex<f64>>, %s: tensor<8xf64>) -> tensor<8xcomplex<f64>> {
  %y = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %a = tensor.extract %x[%i] : tensor<8xcomplex<f64>>
    %r = tensor.extract %s[%i] : tensor<8xf64>
    %y0 = complex.div %a, %a : complex<f64>
    weft.yield %y0 : complex<f64>
  } : tensor<8xcomplex<f64>>
  return %y : tensor<8xcomplex<f64>>
}
}
