// Complex numbers are equal where both parts are.
// RUN: weft-opt %s --simplify-butterflies | FileCheck %s

// CHECK:         %[[RE:.*]] = arith.cmpf oeq
// CHECK:         %[[IM:.*]] = arith.cmpf oeq
// CHECK:         arith.andi %[[RE]], %[[IM]]
module attributes {weft.target = {name = "test", fma = false}} {
func.func @f(%x: tensor<8xcomplex<f64>>, %s: tensor<8xf64>) -> tensor<8xi1> {
  %y = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %a = tensor.extract %x[%i] : tensor<8xcomplex<f64>>
    %r = tensor.extract %s[%i] : tensor<8xf64>
    %t = complex.eq %a, %a : complex<f64>
    weft.yield %t : i1
  } : tensor<8xi1>
  return %y : tensor<8xi1>
}
}
