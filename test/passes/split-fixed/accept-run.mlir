// The other part takes what calls give, the fixed inputs that it reads as they are, also under another
// shape, and what was computed of them; a name that is taken gets another.
// RUN: weft-opt %s --split-fixed | FileCheck %s

module {
  // CHECK:      func.func @f(%[[X:.*]]: tensor<8xf32> {weft.name = "x"}, %[[G:.*]]: tensor<2x4xf32> {weft.fixed, weft.name = "g"}, %[[B:.*]]: tensor<8xf32> {weft.fixed, weft.name = "b"}, %[[P:.*]]: tensor<8xf32> {weft.name = "prepared0"}) -> (tensor<8xf32> {weft.name = "y"})
  // CHECK-NEXT:   %[[V:.*]] = weft.reshape %[[G]]
  // CHECK-NEXT:   weft.map
  // CHECK:          tensor.extract %[[X]]
  // CHECK:          tensor.extract %[[P]]
  // CHECK:          tensor.extract %[[B]]
  // CHECK:          tensor.extract %[[V]]
  // CHECK-NOT:    weft.map
  // CHECK:        return
  func.func @f(%x: tensor<8xf32> {weft.name = "x"}, %g: tensor<2x4xf32> {weft.name = "g", weft.fixed}, %b: tensor<8xf32> {weft.name = "b", weft.fixed}) -> (tensor<8xf32> {weft.name = "y"}) attributes {weft.part = "run"} {
    %v = weft.reshape %g : tensor<2x4xf32> -> tensor<8xf32>
    %h = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %e = tensor.extract %v[%i] : tensor<8xf32>
      %s = arith.mulf %e, %e : f32
      weft.yield %s : f32
    } : tensor<8xf32>
    %w = weft.reshape %h : tensor<8xf32> -> tensor<2x4xf32>
    %w8 = weft.reshape %w : tensor<2x4xf32> -> tensor<8xf32>
    %y = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %e = tensor.extract %x[%i] : tensor<8xf32>
      %f = tensor.extract %w8[%i] : tensor<8xf32>
      %c = tensor.extract %b[%i] : tensor<8xf32>
      %d = tensor.extract %v[%i] : tensor<8xf32>
      %s = arith.mulf %e, %f : f32
      %t = arith.addf %s, %c : f32
      %u = arith.addf %t, %d : f32
      weft.yield %u : f32
    } : tensor<8xf32>
    return %y : tensor<8xf32>
  }

  // CHECK: func.func @named(%{{.*}}: tensor<8xf32> {weft.name = "prepared0"}, %{{.*}}: tensor<8xf32> {weft.name = "prepared0_"})
  func.func @named(%x: tensor<8xf32> {weft.name = "prepared0"}, %g: tensor<2x4xf32> {weft.name = "g", weft.fixed}, %b: tensor<8xf32> {weft.name = "b", weft.fixed}) -> (tensor<8xf32> {weft.name = "y"}) attributes {weft.part = "run"} {
    %v = weft.reshape %g : tensor<2x4xf32> -> tensor<8xf32>
    %h = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %e = tensor.extract %v[%i] : tensor<8xf32>
      %s = arith.mulf %e, %e : f32
      weft.yield %s : f32
    } : tensor<8xf32>
    %w = weft.reshape %h : tensor<8xf32> -> tensor<2x4xf32>
    %w8 = weft.reshape %w : tensor<2x4xf32> -> tensor<8xf32>
    %y = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %e = tensor.extract %x[%i] : tensor<8xf32>
      %f = tensor.extract %w8[%i] : tensor<8xf32>
      %s = arith.mulf %e, %f : f32
      weft.yield %s : f32
    } : tensor<8xf32>
    return %y : tensor<8xf32>
  }
}
