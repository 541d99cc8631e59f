// Complex arithmetic must have become real before.
// RUN: cat %target_avx512 %s | not weft-opt - --lower-to-loops 2>&1 | FileCheck %s

// CHECK: error: 'complex.mul' op is complex arithmetic: expected `simplify-butterflies` to have made it real
module attributes {weft.target = #target} {
func.func @square(%x: tensor<8xcomplex<f64>>) -> tensor<8xcomplex<f64>> {
  %y = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %v = tensor.extract %x[%i] : tensor<8xcomplex<f64>>
    %w = complex.mul %v, %v : complex<f64>
    weft.yield %w : complex<f64>
  } : tensor<8xcomplex<f64>>
  return %y : tensor<8xcomplex<f64>>
}
}
