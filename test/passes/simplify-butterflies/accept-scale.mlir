// The twiddles take a scale in; only the output without a twiddle is multiplied by it.
// RUN: weft-opt %s --simplify-butterflies | FileCheck %s

// CHECK: weft.table dense<{{\[\[}}(2.500000e-01,0.000000e+00), (0.000000e+00,-2.500000e-01)]]>
// CHECK-COUNT-6: arith.mulf
// CHECK-NOT: arith.mulf
module attributes {weft.target = {name = "test", fma = false}} {
func.func @stage(%x: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  %y = weft.butterfly %x axis 0 radix 2 done 1 sign -1 {scale = 0.25 : f64} : tensor<4xcomplex<f64>>
  return %y : tensor<4xcomplex<f64>>
}
}
