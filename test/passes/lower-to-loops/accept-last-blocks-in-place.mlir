// What columns are made from lies where they are computed, also where they are blocks and a last block of other
// lines, both of which read it.
// RUN: cat %target_avx512 %s | weft-opt - --tile-for-ldm --lower-to-loops | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @columns
// CHECK-NOT:     memref.alloc()
// CHECK:         affine.store %{{.*}}, %arg1[
// CHECK-NOT:     memref.alloc()
// CHECK:         affine.load %arg1[
// CHECK:         affine.load %arg1[
// CHECK:       return
func.func @columns(%x: tensor<4x33xf64>) -> tensor<4x33xf64> {
  %i = weft.map [0, 0] to [4, 33] stores [affine_map<(p, s) -> (p, s)>] attributes {weft.not_an_edge} {
  ^bb0(%p: index, %s: index):
    %v = tensor.extract %x[%p, %s] : tensor<4x33xf64>
    %w = arith.mulf %v, %v : f64
    weft.yield %w : f64
  } : tensor<4x33xf64>
  %y = weft.map [0, 0] to [2, 33] stores [affine_map<(p, s) -> (2 * p, s)>, affine_map<(p, s) -> (2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 0 : i64} {
  ^bb0(%p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %i[%p, %s] : tensor<4x33xf64>
    %w = tensor.extract %i[%q, %s] : tensor<4x33xf64>
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

// Somebody else needs it afterwards.
// CHECK-LABEL: func.func @kept
// CHECK:         affine.store %{{.*}}, %arg2[
// CHECK:         affine.load %arg2[
// CHECK:         affine.store %{{.*}}, %arg1[
func.func @kept(%x: tensor<4x33xf64>) -> (tensor<4x33xf64>, tensor<4x33xf64>) {
  %i = weft.map [0, 0] to [4, 33] stores [affine_map<(p, s) -> (p, s)>] attributes {weft.not_an_edge} {
  ^bb0(%p: index, %s: index):
    %v = tensor.extract %x[%p, %s] : tensor<4x33xf64>
    %w = arith.mulf %v, %v : f64
    weft.yield %w : f64
  } : tensor<4x33xf64>
  %y = weft.map [0, 0] to [2, 33] stores [affine_map<(p, s) -> (2 * p, s)>, affine_map<(p, s) -> (2 * p + 1, s)>] attributes {weft.group = 0 : i64, weft.lines = 0 : i64} {
  ^bb0(%p: index, %s: index):
    %q = affine.apply affine_map<(p) -> (p + 2)>(%p)
    %v = tensor.extract %i[%p, %s] : tensor<4x33xf64>
    %w = tensor.extract %i[%q, %s] : tensor<4x33xf64>
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
  return %z, %i : tensor<4x33xf64>, tensor<4x33xf64>
}
}
