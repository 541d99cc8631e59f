// Lines along the last axis are not side by side: the block is transposed on its way in
// and out. Four lines remain beyond whole blocks, which are no vector: the last block does four others again,
// which it must find as they were.
// RUN: cat %target_avx512 %s | weft-opt - --tile-for-ldm | FileCheck %s

// CHECK-LABEL: func.func @rows
// CHECK:         %[[EMPTY:.*]] = tensor.empty
// CHECK:         %[[WHOLE:.*]] = weft.blocks [0] to [16] steps [8] init(%[[EMPTY]]
// CHECK:           %[[PACKED:.*]] = weft.map [0, 0] to [4, 8]
// CHECK:             tensor.extract %arg0
// CHECK:           weft.map [0, 0] to [2, 8]
// CHECK:             tensor.extract %[[PACKED]]
// CHECK:         weft.blocks [12] to [20] steps [8] init(%[[WHOLE]]
// CHECK-NOT:     weft.own_lines
module attributes {weft.target = #target} {
func.func @rows(%x: tensor<20x4xf64>) -> tensor<20x4xf64> {
  %y = weft.map [0, 0] to [20, 2] stores [affine_map<(s, p) -> (s, 2 * p)>, affine_map<(s, p) -> (s, 2 * p + 1)>] attributes {weft.group = 0 : i64, weft.lines = 1 : i64} {
  ^bb0(%s: index, %p: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %x[%s, %p] : tensor<20x4xf64>
    %w = tensor.extract %x[%s, %q] : tensor<20x4xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<20x4xf64>
  %z = weft.map [0, 0] to [20, 2] stores [affine_map<(s, p) -> (s, 2 * p)>, affine_map<(s, p) -> (s, 2 * p + 1)>] attributes {weft.group = 0 : i64, weft.lines = 1 : i64} {
  ^bb0(%s: index, %p: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %y[%s, %p] : tensor<20x4xf64>
    %w = tensor.extract %y[%s, %q] : tensor<20x4xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<20x4xf64>
  return %z : tensor<20x4xf64>
}
}
