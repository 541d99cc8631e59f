// The last block takes lines that are no vector together with those of a whole one, so that its last
// vector may begin earlier; where there is but one whole block, it gives away a vector's lines.
// (Blocks are wide where nothing is known of the first cache's ways.)
// RUN: cat %target_avx512 %s | sed 's/l1d_ways = 8 : i64, //' | weft-opt - --tile-for-ldm | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @columns_33
// CHECK:         weft.blocks [0] to [24] steps [24]
// CHECK:         weft.blocks [24] to [33] steps [9]
func.func @columns_33(%x: tensor<4x33xf64>) -> tensor<4x33xf64> {
  %y = weft.map [0, 0] to [2, 33] stores [affine_map<(p, s) -> (2 * p, s)>, affine_map<(p, s) -> (2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 0 : i64} {
  ^bb0(%p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %x[%p, %s] : tensor<4x33xf64>
    %w = tensor.extract %x[%q, %s] : tensor<4x33xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<4x33xf64>
  %z = weft.map [0, 0] to [2, 33] stores [affine_map<(p, s) -> (2 * p, s)>, affine_map<(p, s) -> (2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 0 : i64} {
  ^bb0(%p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %y[%p, %s] : tensor<4x33xf64>
    %w = tensor.extract %y[%q, %s] : tensor<4x33xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<4x33xf64>
  return %z : tensor<4x33xf64>
}

// CHECK-LABEL: func.func @columns_65
// CHECK:         weft.blocks [0] to [32] steps [32]
// CHECK:         weft.blocks [32] to [65] steps [33]
func.func @columns_65(%x: tensor<4x65xf64>) -> tensor<4x65xf64> {
  %y = weft.map [0, 0] to [2, 65] stores [affine_map<(p, s) -> (2 * p, s)>, affine_map<(p, s) -> (2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 0 : i64} {
  ^bb0(%p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %x[%p, %s] : tensor<4x65xf64>
    %w = tensor.extract %x[%q, %s] : tensor<4x65xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<4x65xf64>
  %z = weft.map [0, 0] to [2, 65] stores [affine_map<(p, s) -> (2 * p, s)>, affine_map<(p, s) -> (2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 0 : i64} {
  ^bb0(%p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %y[%p, %s] : tensor<4x65xf64>
    %w = tensor.extract %y[%q, %s] : tensor<4x65xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<4x65xf64>
  return %z : tensor<4x65xf64>
}

// CHECK-LABEL: func.func @columns_17
// CHECK:         weft.blocks [0] to [8] steps [8]
// CHECK:         weft.blocks [8] to [17] steps [9]
func.func @columns_17(%x: tensor<4x17xf64>) -> tensor<4x17xf64> {
  %y = weft.map [0, 0] to [2, 17] stores [affine_map<(p, s) -> (2 * p, s)>, affine_map<(p, s) -> (2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 0 : i64} {
  ^bb0(%p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %x[%p, %s] : tensor<4x17xf64>
    %w = tensor.extract %x[%q, %s] : tensor<4x17xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<4x17xf64>
  %z = weft.map [0, 0] to [2, 17] stores [affine_map<(p, s) -> (2 * p, s)>, affine_map<(p, s) -> (2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 0 : i64} {
  ^bb0(%p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %y[%p, %s] : tensor<4x17xf64>
    %w = tensor.extract %y[%q, %s] : tensor<4x17xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<4x17xf64>
  return %z : tensor<4x17xf64>
}

// CHECK-LABEL: func.func @columns_9
// CHECK:         weft.blocks [0] to [9] steps [9]
// CHECK-NOT:     weft.blocks
func.func @columns_9(%x: tensor<4x9xf64>) -> tensor<4x9xf64> {
  %y = weft.map [0, 0] to [2, 9] stores [affine_map<(p, s) -> (2 * p, s)>, affine_map<(p, s) -> (2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 0 : i64} {
  ^bb0(%p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %x[%p, %s] : tensor<4x9xf64>
    %w = tensor.extract %x[%q, %s] : tensor<4x9xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<4x9xf64>
  %z = weft.map [0, 0] to [2, 9] stores [affine_map<(p, s) -> (2 * p, s)>, affine_map<(p, s) -> (2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 0 : i64} {
  ^bb0(%p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %y[%p, %s] : tensor<4x9xf64>
    %w = tensor.extract %y[%q, %s] : tensor<4x9xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<4x9xf64>
  return %z : tensor<4x9xf64>
}

// As many as a vector or more are a block of their own.
// CHECK-LABEL: func.func @columns_40
// CHECK:         weft.blocks [0] to [32] steps [32]
// CHECK:         weft.blocks [32] to [40] steps [8]
func.func @columns_40(%x: tensor<4x40xf64>) -> tensor<4x40xf64> {
  %y = weft.map [0, 0] to [2, 40] stores [affine_map<(p, s) -> (2 * p, s)>, affine_map<(p, s) -> (2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 0 : i64} {
  ^bb0(%p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %x[%p, %s] : tensor<4x40xf64>
    %w = tensor.extract %x[%q, %s] : tensor<4x40xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<4x40xf64>
  %z = weft.map [0, 0] to [2, 40] stores [affine_map<(p, s) -> (2 * p, s)>, affine_map<(p, s) -> (2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 0 : i64} {
  ^bb0(%p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %y[%p, %s] : tensor<4x40xf64>
    %w = tensor.extract %y[%q, %s] : tensor<4x40xf64>
    %a = arith.addf %v, %w : f64
    %b = arith.subf %v, %w : f64
    weft.yield %a, %b : f64, f64
  } : tensor<4x40xf64>
  return %z : tensor<4x40xf64>
}
}
