// Functions of complex numbers by functions of real ones.
// RUN: weft-opt %s --simplify-butterflies | FileCheck %s --implicit-check-not=complex.exp --implicit-check-not=complex.abs --implicit-check-not=complex.sqrt

// CHECK-DAG: math.cos
// CHECK-DAG: math.sin
// CHECK-DAG: math.exp
// CHECK:     math.sqrt
module attributes {weft.target = {name = "test", fma = false}} {
func.func @f(%x: tensor<8xcomplex<f64>>, %s: tensor<8xf64>) -> tensor<8xf64> {
  %y = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %a = tensor.extract %x[%i] : tensor<8xcomplex<f64>>
    %r = tensor.extract %s[%i] : tensor<8xf64>
    %e = complex.exp %a : complex<f64>
    %q = complex.sqrt %e : complex<f64>
    %t = complex.abs %q : complex<f64>
    weft.yield %t : f64
  } : tensor<8xf64>
  return %y : tensor<8xf64>
}
}
