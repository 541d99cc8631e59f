// A product that is needed anyway is not computed twice in FMAs.
// RUN: weft-opt %s --simplify-butterflies | FileCheck %s

// CHECK:     %[[M:.*]] = arith.mulf
// CHECK-NEXT:    %[[U:.*]] = arith.addf %{{.*}}, %[[M]]
// CHECK-NEXT:    complex.create %[[U]], %[[M]]
module attributes {weft.target = {name = "test", fma = true}} {
func.func @f(%x: tensor<8xcomplex<f64>>, %s: tensor<8xf64>) -> tensor<8xcomplex<f64>> {
  %y = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %a = tensor.extract %x[%i] : tensor<8xcomplex<f64>>
    %r = tensor.extract %s[%i] : tensor<8xf64>
    %im = complex.im %a : complex<f64>
    %m = arith.mulf %im, %im : f64
    %u = arith.addf %r, %m : f64
    %y0 = complex.create %u, %m : complex<f64>
    weft.yield %y0 : complex<f64>
  } : tensor<8xcomplex<f64>>
  return %y : tensor<8xcomplex<f64>>
}
}
