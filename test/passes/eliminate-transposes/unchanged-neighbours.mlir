// Axes stay what they are where they are no neighbours somewhere (@row reads along w alone), where
// only a part of one is read (@part), where nothing is turned (@straight), where a schedule may name
// them (@named), and on targets without cores.
// RUN: cat %target_sw26010 %s | weft-opt - --eliminate-transposes | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --eliminate-transposes | FileCheck %s --check-prefix=CPU

// CHECK-LABEL: func.func @row
// CHECK-NOT:     weft.reshape
// CHECK:         weft.map [0, 0, 0] to [3, 5, 7]
// CHECK-LABEL: func.func @part
// CHECK-NOT:     weft.reshape
// CHECK:         weft.map [0, 0, 0] to [3, 5, 6]
// CHECK-LABEL: func.func @straight
// CHECK-NOT:     weft.reshape
// CHECK:         weft.map [0, 0, 0] to [5, 7, 3]
// CHECK-LABEL: func.func @named
// CHECK-NOT:     weft.reshape
// CHECK:         weft.map [0, 0, 0] to [3, 5, 7]
// CPU-LABEL:   func.func @turned
// CPU-NOT:       weft.reshape
// CPU:           weft.map [0, 0, 0] to [3, 5, 7]
module attributes {weft.target = #target} {
  func.func @row(%x: tensor<5x7x3xf32>, %b: tensor<7xf32>) -> tensor<3x5x7xf32> {
    %y = weft.map [0, 0, 0] to [3, 5, 7] stores [affine_map<(c, h, w) -> (c, h, w)>] {
    ^bb0(%c: index, %h: index, %w: index):
      %a = tensor.extract %x[%h, %w, %c] : tensor<5x7x3xf32>
      %v = tensor.extract %b[%w] : tensor<7xf32>
      %s = arith.addf %a, %v : f32
      weft.yield %s : f32
    } : tensor<3x5x7xf32>
    return %y : tensor<3x5x7xf32>
  }
  func.func @part(%x: tensor<5x7x3xf32>) -> tensor<3x5x6xf32> {
    %y = weft.map [0, 0, 0] to [3, 5, 6] stores [affine_map<(c, h, w) -> (c, h, w)>] {
    ^bb0(%c: index, %h: index, %w: index):
      %a = tensor.extract %x[%h, %w, %c] : tensor<5x7x3xf32>
      weft.yield %a : f32
    } : tensor<3x5x6xf32>
    return %y : tensor<3x5x6xf32>
  }
  func.func @straight(%x: tensor<5x7x3xf32>) -> tensor<5x7x3xf32> {
    %y = weft.map [0, 0, 0] to [5, 7, 3] stores [affine_map<(h, w, c) -> (h, w, c)>] {
    ^bb0(%h: index, %w: index, %c: index):
      %a = tensor.extract %x[%h, %w, %c] : tensor<5x7x3xf32>
      %s = arith.addf %a, %a : f32
      weft.yield %s : f32
    } : tensor<5x7x3xf32>
    return %y : tensor<5x7x3xf32>
  }
  func.func @named(%x: tensor<5x7x3xf32>) -> tensor<3x5x7xf32>
      attributes {weft.schedule = ["unroll y.axis1 by 2"]} {
    %y = weft.map [0, 0, 0] to [3, 5, 7] stores [affine_map<(c, h, w) -> (c, h, w)>] {
    ^bb0(%c: index, %h: index, %w: index):
      %a = tensor.extract %x[%h, %w, %c] : tensor<5x7x3xf32>
      weft.yield %a : f32
    } : tensor<3x5x7xf32>
    return %y : tensor<3x5x7xf32>
  }
  func.func @turned(%x: tensor<5x7x3xf32>) -> tensor<3x5x7xf32> {
    %y = weft.map [0, 0, 0] to [3, 5, 7] stores [affine_map<(c, h, w) -> (c, h, w)>] {
    ^bb0(%c: index, %h: index, %w: index):
      %a = tensor.extract %x[%h, %w, %c] : tensor<5x7x3xf32>
      weft.yield %a : f32
    } : tensor<3x5x7xf32>
    return %y : tensor<3x5x7xf32>
  }
}
