// An intermediate value that is returned as well stays a tensor of its own.
// RUN: cat %target_avx512 %s | weft-opt - --tile-for-ldm | FileCheck %s

// CHECK-LABEL: func.func @kept
// CHECK-NOT:     weft.blocks
module attributes {weft.target = #target} {
func.func @kept(%x: tensor<4x64xf64>) -> (tensor<4x64xf64>, tensor<4x64xf64>) {
  %y = weft.map [0, 0] to [2, 64] stores [affine_map<(p, s) -> (2 * p, s)>, affine_map<(p, s) -> (2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 0 : i64} {
  ^bb0(%p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %x[%p, %s] : tensor<4x64xf64>
    %w = tensor.extract %x[%q, %s] : tensor<4x64xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<4x64xf64>
  %z = weft.map [0, 0] to [2, 64] stores [affine_map<(p, s) -> (2 * p, s)>, affine_map<(p, s) -> (2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 0 : i64} {
  ^bb0(%p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %y[%p, %s] : tensor<4x64xf64>
    %w = tensor.extract %y[%q, %s] : tensor<4x64xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<4x64xf64>
  return %y, %z : tensor<4x64xf64>, tensor<4x64xf64>
}
}
