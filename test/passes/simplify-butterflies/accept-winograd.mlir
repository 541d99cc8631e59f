// Two transforms in a row along two axes are one codelet; pairs of rows that differ in signs share
// their sums, zeros take no part.
// RUN: weft-opt %s --simplify-butterflies | FileCheck %s

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, max_unroll = 8 : i64}} {
  // BT of F(2, 3) in both directions: four additions a line, eight lines.
  // CHECK-LABEL: @plane
  // CHECK: weft.map [0] to [8] stores [{{.*}}] attributes {weft.codelet} {
  // CHECK-COUNT-16: tensor.extract
  // CHECK-COUNT-32: arith.{{(add|sub)f}}
  // CHECK-NOT: arith.{{(add|sub|mul)f}}
  // CHECK: weft.yield
  func.func @plane(%x: tensor<8x4x4xf32>) -> tensor<8x4x4xf32> {
    %a = weft.winograd_transform %x axis 1 matrix dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, 1.0, 0.0, -1.0]]> : tensor<4x4xf32> : tensor<8x4x4xf32> -> tensor<8x4x4xf32>
    %y = weft.winograd_transform %a axis 2 matrix dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, 1.0, 0.0, -1.0]]> : tensor<4x4xf32> : tensor<8x4x4xf32> -> tensor<8x4x4xf32>
    return %y : tensor<8x4x4xf32>
  }

  // In all three directions, one codelet: 48 lines.
  // CHECK-LABEL: @cube
  // CHECK: weft.map [0] to [8] stores [{{.*}}] attributes {weft.codelet} {
  // CHECK-COUNT-64: tensor.extract
  // CHECK-COUNT-192: arith.{{(add|sub)f}}
  // CHECK-NOT: arith.{{(add|sub|mul)f}}
  // CHECK: weft.yield
  // CHECK-NOT: weft.map
  // CHECK: return
  func.func @cube(%x: tensor<8x4x4x4xf32>) -> tensor<8x4x4x4xf32> {
    %a = weft.winograd_transform %x axis 1 matrix dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, 1.0, 0.0, -1.0]]> : tensor<4x4xf32> : tensor<8x4x4x4xf32> -> tensor<8x4x4x4xf32>
    %b = weft.winograd_transform %a axis 2 matrix dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, 1.0, 0.0, -1.0]]> : tensor<4x4xf32> : tensor<8x4x4x4xf32> -> tensor<8x4x4x4xf32>
    %y = weft.winograd_transform %b axis 3 matrix dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, 1.0, 0.0, -1.0]]> : tensor<4x4xf32> : tensor<8x4x4x4xf32> -> tensor<8x4x4x4xf32>
    return %y : tensor<8x4x4x4xf32>
  }

  // AT of F(4, 3): columns in pairs; eight additions and two multiplications fused into them.
  // CHECK-LABEL: @line
  // CHECK: weft.map [0] to [8]
  // CHECK-COUNT-6: tensor.extract
  // CHECK-COUNT-10: {{arith.addf|arith.subf|math.fma}}
  // CHECK-NOT: arith.{{(add|sub|mul)f}}
  // CHECK: weft.yield
  func.func @line(%x: tensor<8x6xf64>) -> tensor<8x4xf64> {
    %y = weft.winograd_transform %x axis 1 matrix dense<[[1.0, 1.0, 1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 2.0, -2.0, 0.0], [0.0, 1.0, 1.0, 4.0, 4.0, 0.0], [0.0, 1.0, -1.0, 8.0, -8.0, 1.0]]> : tensor<4x6xf64> : tensor<8x6xf64> -> tensor<8x4xf64>
    return %y : tensor<8x4xf64>
  }

  // BT of F(4, 3) by 0, +-5/8, +-13/8: the factor of a sum of odd terms is fused into what is added to
  // the even ones, so that no pair has a multiplication of its own. Two fused operations for each end,
  // four for each pair.
  // CHECK-LABEL: @pairs
  // CHECK: weft.map [0] to [8]
  // CHECK-COUNT-6: tensor.extract
  // CHECK-COUNT-12: = {{arith.(add|sub|mul)f|math.fma}}
  // CHECK-NOT: = {{arith.(add|sub|mul)f|math.fma}}
  // CHECK: weft.yield
  func.func @pairs(%x: tensor<8x6xf64>) -> tensor<8x6xf64> {
    %y = weft.winograd_transform %x axis 1 matrix dense<[[1.031494140625, 0.0, -3.03125, 0.0, 1.0, 0.0], [0.0, 1.650390625, 2.640625, -0.625, -1.0, 0.0], [0.0, -1.650390625, 2.640625, 0.625, -1.0, 0.0], [0.0, -0.634765625, -0.390625, 1.625, 1.0, 0.0], [0.0, 0.634765625, -0.390625, -1.625, 1.0, 0.0], [0.0, 1.031494140625, 0.0, -3.03125, 0.0, 1.0]]> : tensor<6x6xf64> : tensor<8x6xf64> -> tensor<8x6xf64>
    return %y : tensor<8x6xf64>
  }
}
