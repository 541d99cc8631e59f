// Negations end in the choice between addition and subtraction.
// RUN: weft-opt %s --simplify-butterflies | FileCheck %s

// CHECK:     %[[R:.*]] = tensor.extract %arg1
// CHECK:         %[[SUM:.*]] = arith.addf %[[R]], %[[R]]
// CHECK-NEXT:    arith.subf %[[R]], %[[SUM]]
// CHECK-NEXT:    weft.yield
module attributes {weft.target = {name = "test", fma = false}} {
func.func @f(%x: tensor<8xcomplex<f64>>, %s: tensor<8xf64>) -> tensor<8xf64> {
  %y = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %a = tensor.extract %x[%i] : tensor<8xcomplex<f64>>
    %r = tensor.extract %s[%i] : tensor<8xf64>
    %m = arith.constant -1.0 : f64
    %n = arith.negf %r : f64
    %u = arith.subf %n, %r : f64
    %v = arith.mulf %r, %m : f64
    %t = arith.subf %u, %v : f64
    weft.yield %t : f64
  } : tensor<8xf64>
  return %y : tensor<8xf64>
}
}
