// Two stages along axis 0 run on blocks of contiguous lines, lane last: of a vector's lines where
// the second cache has all of them, of four vectors' where rows all fall on the same lines of the
// first, or where there are more.
// RUN: cat %target_avx512 %s | weft-opt - --tile-for-ldm | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --tile-for-ldm --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE
// On CPUs where a block had better stay in the first cache, so many bytes, if a cache does not have
// all lines.
// RUN: cat %target_avx512 %s | sed 's/ahead_bytes = 8192/ahead_bytes = 8192 : i64, column_block_bytes = 1024/' \
// RUN:   | weft-opt - --tile-for-ldm --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=FIRST
// There, rows that all fall on the same lines may want to be long, and arrays that are larger than some.
// RUN: cat %target_avx512 %s | sed 's/ahead_bytes = 8192/wide_crowded_blocks = true, column_block_bytes = 1024 : i64, ahead_bytes = 8192/; s/20000/20480/g' \
// RUN:   | weft-opt - --tile-for-ldm --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: cat %target_avx512 %s | sed 's/ahead_bytes = 8192/ahead_bytes = 8192 : i64, column_block_bytes = 1024/; s/20000/20480/g' \
// RUN:   | weft-opt - --tile-for-ldm --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: cat %target_avx512 %s | sed 's/ahead_bytes = 8192/ahead_bytes = 8192 : i64, column_block_bytes = 1024 : i64, column_block_array_bytes = 639999/' \
// RUN:   | weft-opt - --tile-for-ldm --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=LARGE
// LONG: tensor<4x20480xf64>: its stages (2) over blocks of 32 lines
// SHORT: tensor<4x20480xf64>: its stages (2) over blocks of 16 lines
// LARGE: tensor<4x20000xf64>: its stages (2) over blocks of 32 lines

// NOTE: decided {{.*}}What="a value of type tensor<4x64xf64>: its stages (2) over blocks of 8 lines", Why="512 bytes; all lines are in a cache of 1048576 (l2_bytes), so that no row of theirs is read twice from further"
// NOTE: decided {{.*}}What="a value of type tensor<4x512xf64>: its stages (2) over blocks of 32 lines", Why="2048 bytes, where a quarter of 1048576 (l2_bytes) is allowed"
// NOTE: decided {{.*}}What="a value of type tensor<4x20000xf64>: its stages (2) over blocks of 32 lines", Why="2048 bytes, where a quarter of 1048576 (l2_bytes) is allowed"

// FIRST: tensor<4x64xf64>: its stages (2) over blocks of 8 lines", Why="512 bytes; all lines are in a cache of 104
// FIRST: tensor<4x512xf64>: its stages (2) over blocks of 32 lines", Why="2048 bytes, where a quarter of 1048576 (
// FIRST: tensor<4x20000xf64>: its stages (2) over blocks of 16 lines", Why="1024 bytes; up to 1024 (column_block_bytes) a row has more vectors than one

// CHECK-LABEL: func.func @columns
// CHECK:         weft.blocks [0] to [64] steps [8]
// CHECK-SAME:      weft.own_lines
// CHECK:           %[[LOCAL:.*]] = weft.map [0, 0] to [2, 8]
// CHECK:             tensor.extract %arg0
// CHECK:           } : tensor<4x8xf64>
// CHECK:           %[[LAST:.*]] = weft.map [0, 0] to [2, 8]
// CHECK:             tensor.extract %[[LOCAL]]
// CHECK:           weft.yield %[[LAST]]
// CHECK:         } : tensor<4x64xf64>
module attributes {weft.target = #target} {
func.func @columns(%x: tensor<4x64xf64>) -> tensor<4x64xf64> {
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
  return %z : tensor<4x64xf64>
}

// CHECK-LABEL: func.func @same_lines
// CHECK:         weft.blocks [0] to [512] steps [32]
func.func @same_lines(%x: tensor<4x512xf64>) -> tensor<4x512xf64> {
  %y = weft.map [0, 0] to [2, 512] stores [affine_map<(p, s) -> (2 * p, s)>, affine_map<(p, s) -> (2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 0 : i64} {
  ^bb0(%p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %x[%p, %s] : tensor<4x512xf64>
    %w = tensor.extract %x[%q, %s] : tensor<4x512xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<4x512xf64>
  %z = weft.map [0, 0] to [2, 512] stores [affine_map<(p, s) -> (2 * p, s)>, affine_map<(p, s) -> (2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 0 : i64} {
  ^bb0(%p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %y[%p, %s] : tensor<4x512xf64>
    %w = tensor.extract %y[%q, %s] : tensor<4x512xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<4x512xf64>
  return %z : tensor<4x512xf64>
}

// CHECK-LABEL: func.func @many
// CHECK:         weft.blocks [0] to [20000] steps [32]
func.func @many(%x: tensor<4x20000xf64>) -> tensor<4x20000xf64> {
  %y = weft.map [0, 0] to [2, 20000] stores [affine_map<(p, s) -> (2 * p, s)>, affine_map<(p, s) -> (2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 0 : i64} {
  ^bb0(%p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %x[%p, %s] : tensor<4x20000xf64>
    %w = tensor.extract %x[%q, %s] : tensor<4x20000xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<4x20000xf64>
  %z = weft.map [0, 0] to [2, 20000] stores [affine_map<(p, s) -> (2 * p, s)>, affine_map<(p, s) -> (2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 0 : i64} {
  ^bb0(%p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %y[%p, %s] : tensor<4x20000xf64>
    %w = tensor.extract %y[%q, %s] : tensor<4x20000xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<4x20000xf64>
  return %z : tensor<4x20000xf64>
}
}
