// A real number used as a complex one costs two products; i costs none.
// RUN: weft-opt %s --simplify-butterflies | FileCheck %s

// CHECK-COUNT-2: arith.mulf
// CHECK-NOT: arith.mulf
// CHECK:         arith.negf
// CHECK-NEXT:    complex.create
module attributes {weft.target = {name = "test", fma = false}} {
func.func @f(%x: tensor<8xcomplex<f64>>, %s: tensor<8xf64>) -> tensor<8xcomplex<f64>> {
  %y = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %a = tensor.extract %x[%i] : tensor<8xcomplex<f64>>
    %r = tensor.extract %s[%i] : tensor<8xf64>
    %zero = arith.constant 0.0 : f64
    %c = complex.create %r, %zero : complex<f64>
    %j = complex.constant [0.0, 1.0] : complex<f64>
    %b = complex.mul %a, %c : complex<f64>
    %y0 = complex.mul %b, %j : complex<f64>
    weft.yield %y0 : complex<f64>
  } : tensor<8xcomplex<f64>>
  return %y : tensor<8xcomplex<f64>>
}
}
