// What reads the last stage stays outside of its blocks where somebody else reads that as well, and
// where it takes elements of other lines.
// RUN: cat %target_avx512 %s | weft-opt - --tile-for-ldm | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @kept
// CHECK:         %[[BLOCKS:.*]] = weft.blocks [0] to [64] steps [8]
// CHECK:         weft.map [0, 1] to [64, 2]
// CHECK:           tensor.extract %[[BLOCKS]]
func.func @kept(%x: tensor<64x4xf64>) -> (tensor<64x4xf64>, tensor<64x5xf64>) {
  %y = weft.map [0, 0] to [64, 2] stores [affine_map<(s, p) -> (s, 2 * p)>, affine_map<(s, p) -> (s, 2 * p + 1)>] attributes {weft.group = 0 : i64, weft.lines = 1 : i64} {
  ^bb0(%s: index, %p: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %x[%s, %p] : tensor<64x4xf64>
    %w = tensor.extract %x[%s, %q] : tensor<64x4xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<64x4xf64>
  %z = weft.map [0, 0] to [64, 2] stores [affine_map<(s, p) -> (s, 2 * p)>, affine_map<(s, p) -> (s, 2 * p + 1)>] attributes {weft.group = 0 : i64, weft.lines = 1 : i64} {
  ^bb0(%s: index, %p: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %y[%s, %p] : tensor<64x4xf64>
    %w = tensor.extract %y[%s, %q] : tensor<64x4xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<64x4xf64>
  %e = tensor.empty() : tensor<64x5xf64>
  %r0 = weft.map [0, 1] to [64, 2] init(%e : tensor<64x5xf64>) stores [affine_map<(s, k) -> (s, k)>, affine_map<(s, k) -> (s, 4 - k)>] {
  ^bb0(%s: index, %k: index):
    %m = affine.apply affine_map<(k) -> (4 - k)>(%k)
    %v = tensor.extract %z[%s, %k] : tensor<64x4xf64>
    %w = tensor.extract %z[%s, %m] : tensor<64x4xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<64x5xf64>
  %r = weft.map [0, 0] to [64, 1] init(%r0 : tensor<64x5xf64>) stores [affine_map<(s, k) -> (s, 0)>, affine_map<(s, k) -> (s, 2)>, affine_map<(s, k) -> (s, 4)>] {
  ^bb0(%s: index, %k: index):
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %v = tensor.extract %z[%s, %c0] : tensor<64x4xf64>
    %w = tensor.extract %z[%s, %c2] : tensor<64x4xf64>
    weft.yield %v, %w, %v : f64, f64, f64
  } : tensor<64x5xf64>
  return %z, %r : tensor<64x4xf64>, tensor<64x5xf64>
}

// CHECK-LABEL: func.func @other_lines
// CHECK:         %[[BLOCKS:.*]] = weft.blocks [0] to [64] steps [8]
// CHECK:         weft.map [0, 0] to [64, 2]
// CHECK:           tensor.extract %[[BLOCKS]]
func.func @other_lines(%x: tensor<64x4xf64>) -> tensor<64x4xf64> {
  %y = weft.map [0, 0] to [64, 2] stores [affine_map<(s, p) -> (s, 2 * p)>, affine_map<(s, p) -> (s, 2 * p + 1)>] attributes {weft.group = 0 : i64, weft.lines = 1 : i64} {
  ^bb0(%s: index, %p: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %x[%s, %p] : tensor<64x4xf64>
    %w = tensor.extract %x[%s, %q] : tensor<64x4xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<64x4xf64>
  %z = weft.map [0, 0] to [64, 2] stores [affine_map<(s, p) -> (s, 2 * p)>, affine_map<(s, p) -> (s, 2 * p + 1)>] attributes {weft.group = 0 : i64, weft.lines = 1 : i64} {
  ^bb0(%s: index, %p: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %y[%s, %p] : tensor<64x4xf64>
    %w = tensor.extract %y[%s, %q] : tensor<64x4xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<64x4xf64>
  %r = weft.map [0, 0] to [64, 2] stores [affine_map<(s, k) -> (s, k)>, affine_map<(s, k) -> (s, k + 2)>] {
  ^bb0(%s: index, %k: index):
    %m = affine.apply affine_map<(s) -> (63 - s)>(%s)
    %v = tensor.extract %z[%s, %k] : tensor<64x4xf64>
    %w = tensor.extract %z[%m, %k] : tensor<64x4xf64>
    weft.yield %v, %w : f64, f64
  } : tensor<64x4xf64>
  return %r : tensor<64x4xf64>
}
}
