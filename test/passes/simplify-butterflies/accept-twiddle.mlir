// Roots of unity become a table, exact at eighths of a turn.
// RUN: weft-opt %s --simplify-butterflies | FileCheck %s

// CHECK: weft.table dense<{{\[\[}}(1.000000e+00,0.000000e+00), (1.000000e+00,0.000000e+00)], [(1.000000e+00,0.000000e+00), (0.000000e+00,-1.000000e+00)]]>
// CHECK-NOT: weft.twiddle
module attributes {weft.target = {name = "test", fma = false}} {
func.func @roots() -> tensor<2x2xcomplex<f64>> {
  %w = weft.twiddle rows 2 cols 2 sign -1 : tensor<2x2xcomplex<f64>>
  return %w : tensor<2x2xcomplex<f64>>
}
}
