// A complex product is four real products and two sums, with FMA two and two.
// RUN: weft-opt %s --simplify-butterflies | FileCheck %s
// RUN: sed "s/fma = false/fma = true/" %s | weft-opt - --simplify-butterflies | FileCheck %s --check-prefix=FMA

// CHECK:     %[[RE:.*]] = complex.re
// CHECK:     %[[IM:.*]] = complex.im
// CHECK-COUNT-2: arith.mulf
// CHECK:     %[[YRE:.*]] = arith.subf
// CHECK-COUNT-2: arith.mulf
// CHECK:     %[[YIM:.*]] = arith.addf
// CHECK:     complex.create %[[YRE]], %[[YIM]]
//
// FMA-COUNT-2: math.fma
// FMA-NOT: {{addf|subf}}
module attributes {weft.target = {name = "test", fma = false}} {
func.func @f(%x: tensor<8xcomplex<f64>>, %s: tensor<8xf64>) -> tensor<8xcomplex<f64>> {
  %y = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %a = tensor.extract %x[%i] : tensor<8xcomplex<f64>>
    %r = tensor.extract %s[%i] : tensor<8xf64>
    %im = complex.im %a : complex<f64>
    %b = complex.create %r, %im : complex<f64>
    %y0 = complex.mul %a, %b : complex<f64>
    weft.yield %y0 : complex<f64>
  } : tensor<8xcomplex<f64>>
  return %y : tensor<8xcomplex<f64>>
}
}
