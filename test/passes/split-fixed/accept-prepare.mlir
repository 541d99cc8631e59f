// What is computed of fixed inputs alone, and read by the rest, is what the one part returns.
// RUN: weft-opt %s --split-fixed | FileCheck %s
// RUN: weft-opt %s --split-fixed --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}is computed once", Why="fixed inputs give it; calls read its 8 elements"

module {
  // CHECK:      func.func @f(%[[G:.*]]: tensor<2x4xf32> {weft.fixed, weft.name = "g"}, %{{.*}}: tensor<8xf32> {weft.fixed, weft.name = "b"}) -> (tensor<8xf32> {weft.name = "prepared0"})
  // CHECK-NEXT:   %[[V:.*]] = weft.reshape %[[G]]
  // CHECK-NEXT:   %[[H:.*]] = weft.map
  // CHECK:          arith.mulf
  // CHECK:        %[[W:.*]] = weft.reshape %[[H]]
  // CHECK-NEXT:   %[[W8:.*]] = weft.reshape %[[W]]
  // CHECK-NEXT:   return %[[W8]]
  func.func @f(%x: tensor<8xf32> {weft.name = "x"}, %g: tensor<2x4xf32> {weft.name = "g", weft.fixed}, %b: tensor<8xf32> {weft.name = "b", weft.fixed}) -> (tensor<8xf32> {weft.name = "y"}) attributes {weft.part = "prepare"} {
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
}
