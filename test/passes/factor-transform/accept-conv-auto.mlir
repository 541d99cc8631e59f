// The cheapest algorithm by the machine's numbers: transforms pay where many channels meet many
// filters, not for one filter of one channel; without transforms the direct sum is left.
// RUN: weft-opt %s --factor-transform | FileCheck %s

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64}} {
  // CHECK-LABEL: func.func @many(
  // CHECK-COUNT-6: weft.winograd_transform
  func.func @many(%x: tensor<1x256x18x18xf32>, %g: tensor<256x256x3x3xf32>) -> tensor<1x256x16x16xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "auto"
      {transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}]}
      : tensor<1x256x18x18xf32>, tensor<256x256x3x3xf32> -> tensor<1x256x16x16xf32>
    return %y : tensor<1x256x16x16xf32>
  }
  // CHECK-LABEL: func.func @one(
  // CHECK-NOT:     weft.winograd_transform
  // CHECK:         weft.reduce sum [0, 0, 0] to [1, 3, 3]
  func.func @one(%x: tensor<1x1x18x18xf32>, %g: tensor<1x1x3x3xf32>) -> tensor<1x1x16x16xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "auto"
      {transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}]}
      : tensor<1x1x18x18xf32>, tensor<1x1x3x3xf32> -> tensor<1x1x16x16xf32>
    return %y : tensor<1x1x16x16xf32>
  }
  // A tenth fewer cycles are no reason.
  // CHECK-LABEL: func.func @near(
  // CHECK-NOT:     weft.winograd_transform
  // CHECK:         weft.reduce sum [0, 0, 0] to [16, 3, 3]
  func.func @near(%x: tensor<1x16x18x18xf32>, %g: tensor<16x16x3x3xf32>) -> tensor<1x16x16x16xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "auto"
      {transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}]}
      : tensor<1x16x18x18xf32>, tensor<16x16x3x3xf32> -> tensor<1x16x16x16xf32>
    return %y : tensor<1x16x16x16xf32>
  }
  // CHECK-LABEL: func.func @none(
  // CHECK:         weft.reduce sum [0, 0, 0] to [64, 3, 3]
  func.func @none(%x: tensor<1x64x18x18xf32>, %g: tensor<64x64x3x3xf32>) -> tensor<1x64x16x16xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "auto" : tensor<1x64x18x18xf32>, tensor<64x64x3x3xf32> -> tensor<1x64x16x16xf32>
    return %y : tensor<1x64x16x16xf32>
  }
}
