// Fewer lines than a vector has lanes: no block is worth it.
// RUN: cat %target_avx512 %s | weft-opt - --tile-for-ldm | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --tile-for-ldm --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: rejected {{.*}}What="a value of type tensor<4x3xf64>: its stages (2) over blocks of lines", Why="there are 3 lines, a vector has 8 lanes"

// CHECK-LABEL: func.func @few
// CHECK-NOT:     weft.blocks
module attributes {weft.target = #target} {
func.func @few(%x: tensor<4x3xf64>) -> tensor<4x3xf64> {
  %y = weft.map [0, 0] to [2, 3] stores [affine_map<(p, s) -> (2 * p, s)>, affine_map<(p, s) -> (2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 0 : i64} {
  ^bb0(%p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %x[%p, %s] : tensor<4x3xf64>
    %w = tensor.extract %x[%q, %s] : tensor<4x3xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<4x3xf64>
  %z = weft.map [0, 0] to [2, 3] stores [affine_map<(p, s) -> (2 * p, s)>, affine_map<(p, s) -> (2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 0 : i64} {
  ^bb0(%p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %y[%p, %s] : tensor<4x3xf64>
    %w = tensor.extract %y[%q, %s] : tensor<4x3xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<4x3xf64>
  return %z : tensor<4x3xf64>
}
}
