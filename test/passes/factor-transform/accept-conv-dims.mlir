// Images of one and of three dimensions, and filters along a line: tiles only where filters have
// more than one element; the direct sum of volumes goes over all rows of a plane as one.
// RUN: weft-opt %s --factor-transform --mlir-print-local-scope | FileCheck %s

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // CHECK-LABEL: func.func @signals(
  // CHECK:         weft.map [0, 0, 0, 0] to [1, 3, 4, 4]
  // CHECK:           affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>
  // CHECK:         weft.winograd_transform %{{.*}} axis 3
  // CHECK-NOT:     weft.winograd_transform {{.*}} : tensor<1x3x4x4xf32>
  // CHECK:         weft.winograd_transform %arg1 axis 2
  // CHECK:         weft.map [0, 0, 0, 0] to [1, 2, 4, 4]
  // CHECK:           weft.reduce sum [0] to [3]
  // CHECK:         weft.winograd_transform %{{.*}} axis 3 {{.*}} -> tensor<1x2x4x2xf32>
  // CHECK:         weft.map [0, 0, 0, 0] to [1, 2, 4, 2] stores [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2 * 2 + d3)>]
  func.func @signals(%x: tensor<1x3x10xf32>, %g: tensor<2x3x3xf32>) -> tensor<1x2x8xf32> {
    %y = weft.conv %x, %g pad [0] stride [1] groups 1 algorithm "winograd" {layout = "ncw", out_layout = "ncw", transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}]} : tensor<1x3x10xf32>, tensor<2x3x3xf32> -> tensor<1x2x8xf32>
    return %y : tensor<1x2x8xf32>
  }
  // CHECK-LABEL: func.func @along_columns(
  // CHECK:         %[[TILES:.*]] = weft.map [0, 0, 0, 0, 0] to [1, 3, 5, 4, 4]
  // CHECK:         weft.winograd_transform %[[TILES]] axis 4
  // CHECK:         weft.reshape %arg1 : tensor<2x3x1x3xf32> -> tensor<2x3x3xf32>
  // CHECK:         weft.map [0, 0, 0, 0, 0] to [1, 2, 5, 4, 4]
  // CHECK:         weft.map [0, 0, 0, 0, 0] to [1, 2, 5, 4, 2] stores [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3 * 2 + d4)>]
  func.func @along_columns(%x: tensor<1x3x5x10xf32>, %g: tensor<2x3x1x3xf32>) -> tensor<1x2x5x8xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "winograd" {transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}]} : tensor<1x3x5x10xf32>, tensor<2x3x1x3xf32> -> tensor<1x2x5x8xf32>
    return %y : tensor<1x2x5x8xf32>
  }
  // CHECK-LABEL: func.func @volumes(
  // CHECK:         weft.winograd_transform %{{.*}} axis 5
  // CHECK:         weft.winograd_transform %{{.*}} axis 6
  // CHECK:         weft.winograd_transform %{{.*}} axis 7
  // CHECK:         weft.map [0, 0, 0, 0, 0, 0, 0, 0] to [1, 2, 1, 2, 2, 4, 4, 4]
  // CHECK:         weft.map [0, 0, 0, 0, 0, 0, 0, 0] to [1, 2, 1, 2, 2, 2, 2, 2] stores [affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d2 * 2 + d3, d4 * 2 + d5, d6 * 2 + d7)>]
  func.func @volumes(%x: tensor<1x3x4x6x6xf32>, %g: tensor<2x3x3x3x3xf32>) -> tensor<1x2x2x4x4xf32> {
    %y = weft.conv %x, %g pad [0, 0, 0] stride [1, 1, 1] groups 1 algorithm "winograd" {layout = "ncdhw", out_layout = "ncdhw", transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}]} : tensor<1x3x4x6x6xf32>, tensor<2x3x3x3x3xf32> -> tensor<1x2x2x4x4xf32>
    return %y : tensor<1x2x2x4x4xf32>
  }
  // CHECK-LABEL: func.func @direct_volumes(
  // CHECK:         weft.reshape %{{.*}} : tensor<1x4x5x8x8xf32> -> tensor<1x4x5x64xf32>
  // CHECK:         weft.map [0, 0, 0, 0] to [1, 64, 3, 46]
  // CHECK:           weft.reduce sum [0, 0, 0, 0] to [4, 3, 3, 3]
  // CHECK:             affine.apply affine_map<(d0, d1) -> (d0 + d1)>
  // CHECK:             affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 * 8 + d2)>
  // CHECK:         weft.map [0, 0, 0, 0, 0] to [1, 64, 3, 6, 6]
  func.func @direct_volumes(%x: tensor<1x4x5x8x8xf32>, %g: tensor<64x4x3x3x3xf32>) -> tensor<1x64x3x6x6xf32> {
    %y = weft.conv %x, %g pad [0, 0, 0] stride [1, 1, 1] groups 1 algorithm "direct" {layout = "ncdhw", out_layout = "ncdhw"} : tensor<1x4x5x8x8xf32>, tensor<64x4x3x3x3xf32> -> tensor<1x64x3x6x6xf32>
    return %y : tensor<1x64x3x6x6xf32>
  }
}
