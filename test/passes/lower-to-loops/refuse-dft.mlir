// A transform that no pass factored has no loop form.
// RUN: cat %target_avx512 %s | not weft-opt - --lower-to-loops 2>&1 | FileCheck %s

// CHECK: error: 'weft.dft' op has no loop form
module attributes {weft.target = #target} {
func.func @whole(%x: tensor<8xcomplex<f64>>) -> tensor<8xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<8xcomplex<f64>>
  return %y : tensor<8xcomplex<f64>>
}
}
