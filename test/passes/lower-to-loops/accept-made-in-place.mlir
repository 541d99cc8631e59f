// Rounds of blocks of which one result is made element by element of a carried value: it is computed
// where that lies. Not where another map of theirs reads the value, too.
// RUN: cat %target_sw26010 %s | weft-opt - --lower-to-loops --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @made
// CHECK:         affine.for %{{.*}} = 0 to 3 {
// CHECK:           affine.for %[[I:.*]] = 0 to 8 step 4 {
// CHECK:             %[[V:.*]] = affine.load %arg1[%[[I]] + %[[J:.*]]]
// CHECK:             %[[W:.*]] = arith.addf %[[V]], %[[V]]
// CHECK:             affine.store %[[W]], %arg1[%[[I]] + %[[J]]]
// CHECK-NOT:     memref.copy
// CHECK-LABEL: func.func @read_later
// CHECK:           affine.for %[[I:.*]] = 0 to 8 step 4 {
// CHECK:             %[[V:.*]] = affine.load %arg1[%[[I]] + %[[J:.*]]]
// CHECK:             %[[W:.*]] = arith.addf %[[V]], %[[V]]
// CHECK-NOT:         affine.store %[[W]], %arg1
// CHECK:             affine.store %[[W]], %[[MADE:[a-z0-9_]+]][%[[I]] + 
// What nobody reads has memory of its own.
// CHECK-NOT:         affine.store %{{.*}}, %[[MADE]]
module attributes {weft.target = #target} {
func.func @made(%x: tensor<8xf64>) -> tensor<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %t = %c0 to %c3 step %c1 iter_args(%v = %x) -> (tensor<8xf64>) {
    %b:2 = weft.blocks [0] to [8] steps [4] places [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d0 + d1)>] attributes {weft.in_turn, weft.own_elements = 1 : i64} {
    ^bb0(%o: index):
      %t2, %w = weft.map [0] to [4] stores [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>] into [0, 1] {
      ^bb0(%i: index):
        %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%o, %i)
        %a = tensor.extract %v[%at] : tensor<8xf64>
        %s = arith.addf %a, %a : f64
        weft.yield %s, %s : f64, f64
      } : tensor<4xf64>, tensor<4xf64>
      %z = weft.map [0] to [4] stores [affine_map<(i) -> (i)>] {
      ^bb0(%i: index):
        %a = tensor.extract %t2[%i] : tensor<4xf64>
        weft.yield %a : f64
      } : tensor<4xf64>
      weft.yield %z, %w : tensor<4xf64>, tensor<4xf64>
    } : tensor<8xf64>, tensor<8xf64>
    scf.yield %b#1 : tensor<8xf64>
  }
  return %r : tensor<8xf64>
}
func.func @read_later(%x: tensor<8xf64>) -> tensor<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %t = %c0 to %c3 step %c1 iter_args(%v = %x) -> (tensor<8xf64>) {
    %b:2 = weft.blocks [0] to [8] steps [4] places [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d0 + d1)>] attributes {weft.in_turn, weft.own_elements = 1 : i64} {
    ^bb0(%o: index):
      %t2, %w = weft.map [0] to [4] stores [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>] into [0, 1] {
      ^bb0(%i: index):
        %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%o, %i)
        %a = tensor.extract %v[%at] : tensor<8xf64>
        %s = arith.addf %a, %a : f64
        weft.yield %s, %s : f64, f64
      } : tensor<4xf64>, tensor<4xf64>
      %z = weft.map [0] to [4] stores [affine_map<(i) -> (i)>] {
      ^bb0(%i: index):
        %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%o, %i)
        %a = tensor.extract %v[%at] : tensor<8xf64>
        weft.yield %a : f64
      } : tensor<4xf64>
      weft.yield %z, %w : tensor<4xf64>, tensor<4xf64>
    } : tensor<8xf64>, tensor<8xf64>
    scf.yield %b#1 : tensor<8xf64>
  }
  return %r : tensor<8xf64>
}
}
