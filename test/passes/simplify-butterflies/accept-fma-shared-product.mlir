// A product of two sums goes into both of them.
// RUN: weft-opt %s --simplify-butterflies | FileCheck %s

// CHECK-NOT:     arith.mulf
// CHECK-COUNT-2: math.fma
// CHECK-NOT:     arith.mulf
module attributes {weft.target = {name = "test", fma = true}} {
func.func @f(%x: tensor<8xcomplex<f64>>, %s: tensor<8xf64>) -> tensor<8xcomplex<f64>> {
  %y = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %a = tensor.extract %x[%i] : tensor<8xcomplex<f64>>
    %r = tensor.extract %s[%i] : tensor<8xf64>
    %h = arith.constant 0.75 : f64
    %im = complex.im %a : complex<f64>
    %m = arith.mulf %im, %h : f64
    %u = arith.addf %r, %m : f64
    %v = arith.subf %r, %m : f64
    %y0 = complex.create %u, %v : complex<f64>
    weft.yield %y0 : complex<f64>
  } : tensor<8xcomplex<f64>>
  return %y : tensor<8xcomplex<f64>>
}
}
