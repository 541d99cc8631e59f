// RUN: cat %target_avx512 %s | sed 's/ahead_bytes = 8192/wide_crowded_blocks = true, column_block_bytes = 1024 : i64, ahead_bytes = 8192/' \
// RUN:   | weft-opt - --tile-for-ldm | FileCheck %s
// RUN: cat %target_avx512 %s | sed 's/ahead_bytes = 8192/column_block_bytes = 1024 : i64, ahead_bytes = 8192/' \
// RUN:   | weft-opt - --tile-for-ldm | FileCheck %s --check-prefix=OTHER
// 64 rows 2 KB apart fall on two places of a way, where 8 ways hold 16 of them: parts of rows are four
// vectors long. Of 48 rows 1 KB apart they hold 32, more than every other one.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @crowded
// CHECK:         weft.blocks [0, 0] to [32, 256] steps [1, 32]
// OTHER-LABEL: func.func @crowded
// OTHER:         weft.blocks [0, 0] to [32, 256] steps [1, 8]
func.func @crowded(%x: tensor<32x64x256xf64>) -> tensor<32x64x256xf64> {
  %y = weft.map [0, 0, 0] to [32, 32, 256] stores [affine_map<(b, p, s) -> (b, 2 * p, s)>, affine_map<(b, p, s) -> (b, 2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 1 : i64} {
  ^bb0(%b: index, %p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 32)>(%p)
    %v = tensor.extract %x[%b, %p, %s] : tensor<32x64x256xf64>
    %w = tensor.extract %x[%b, %q, %s] : tensor<32x64x256xf64>
    %a = arith.addf %v, %w : f64
    %d = arith.subf %v, %w : f64
    weft.yield %a, %d : f64, f64
  } : tensor<32x64x256xf64>
  %z = weft.map [0, 0, 0] to [32, 32, 256] stores [affine_map<(b, p, s) -> (b, 2 * p, s)>, affine_map<(b, p, s) -> (b, 2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 1 : i64} {
  ^bb0(%b: index, %p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 32)>(%p)
    %v = tensor.extract %y[%b, %p, %s] : tensor<32x64x256xf64>
    %w = tensor.extract %y[%b, %q, %s] : tensor<32x64x256xf64>
    %a = arith.addf %v, %w : f64
    %d = arith.subf %v, %w : f64
    weft.yield %a, %d : f64, f64
  } : tensor<32x64x256xf64>
  return %z : tensor<32x64x256xf64>
}

// CHECK-LABEL: func.func @apart
// CHECK:         weft.blocks [0, 0] to [64, 128] steps [1, 8]
func.func @apart(%x: tensor<64x48x128xf64>) -> tensor<64x48x128xf64> {
  %y = weft.map [0, 0, 0] to [64, 24, 128] stores [affine_map<(b, p, s) -> (b, 2 * p, s)>, affine_map<(b, p, s) -> (b, 2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 1 : i64} {
  ^bb0(%b: index, %p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 24)>(%p)
    %v = tensor.extract %x[%b, %p, %s] : tensor<64x48x128xf64>
    %w = tensor.extract %x[%b, %q, %s] : tensor<64x48x128xf64>
    %a = arith.addf %v, %w : f64
    %d = arith.subf %v, %w : f64
    weft.yield %a, %d : f64, f64
  } : tensor<64x48x128xf64>
  %z = weft.map [0, 0, 0] to [64, 24, 128] stores [affine_map<(b, p, s) -> (b, 2 * p, s)>, affine_map<(b, p, s) -> (b, 2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 1 : i64} {
  ^bb0(%b: index, %p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 24)>(%p)
    %v = tensor.extract %y[%b, %p, %s] : tensor<64x48x128xf64>
    %w = tensor.extract %y[%b, %q, %s] : tensor<64x48x128xf64>
    %a = arith.addf %v, %w : f64
    %d = arith.subf %v, %w : f64
    weft.yield %a, %d : f64, f64
  } : tensor<64x48x128xf64>
  return %z : tensor<64x48x128xf64>
}
}
