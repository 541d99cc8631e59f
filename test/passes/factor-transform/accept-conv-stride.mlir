// Every second result by Winograd's algorithm: 5 products for 2 results of 3 elements, where the sum
// has 6, and 5 pixels that tiles share with none but one of the next; 25 instead of 36 along rows
// and columns. A tile begins 4 pixels behind the one before.
// RUN: weft-opt %s --factor-transform --mlir-print-local-scope | FileCheck %s

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64}} {
  // CHECK-LABEL: func.func @named(
  // CHECK:         weft.map [0, 0, 0, 0, 0, 0] to [1, 16, 4, 4, 5, 5]
  // CHECK-DAG:       affine_map<(d0, d1) -> (d0 * 4 + d1)>
  // CHECK:         weft.winograd_transform {{.*}} : tensor<1x16x4x4x5x5xf32> -> tensor<1x16x4x4x5x5xf32>
  // CHECK:         weft.winograd_transform {{.*}} : tensor<16x16x3x3xf32> -> tensor<16x16x5x3xf32>
  // CHECK:         weft.reduce sum [0] to [16]
  // CHECK:         weft.winograd_transform {{.*}} : tensor<1x16x4x4x5x5xf32> -> tensor<1x16x4x4x2x5xf32>
  func.func @named(%x: tensor<1x16x17x17xf32>, %g: tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [2, 2] groups 1 algorithm "winograd"
      {transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 0.0, 1.0, 0.0], [1.0, -1.0, 1.0, 0.0, 1.0]]> : tensor<2x5xf32>, G = dense<[[0.5, 0.0, 0.5], [0.5, 0.0, -0.5], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]> : tensor<5x3xf32>, BT = dense<[[1.0, 0.0, 1.0, 0.0, 0.0], [1.0, 0.0, -1.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0]]> : tensor<5x5xf32>}]}
      : tensor<1x16x17x17xf32>, tensor<16x16x3x3xf32> -> tensor<1x16x8x8xf32>
    return %y : tensor<1x16x8x8xf32>
  }
  // Many channels and filters pay, few do not.
  // CHECK-LABEL: func.func @many(
  // CHECK-COUNT-6: weft.winograd_transform
  func.func @many(%x: tensor<1x8x57x57x16xf32>, %g: tensor<128x128x3x3xf32> {weft.fixed}) -> tensor<1x8x28x28x16xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [2, 2] groups 1 algorithm "auto"
      {layout = "nchw16c", out_layout = "nchw16c", transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 0.0, 1.0, 0.0], [1.0, -1.0, 1.0, 0.0, 1.0]]> : tensor<2x5xf32>, G = dense<[[0.5, 0.0, 0.5], [0.5, 0.0, -0.5], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]> : tensor<5x3xf32>, BT = dense<[[1.0, 0.0, 1.0, 0.0, 0.0], [1.0, 0.0, -1.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0]]> : tensor<5x5xf32>}]}
      : tensor<1x8x57x57x16xf32>, tensor<128x128x3x3xf32> -> tensor<1x8x28x28x16xf32>
    return %y : tensor<1x8x28x28x16xf32>
  }
  // CHECK-LABEL: func.func @few(
  // CHECK-NOT:     weft.winograd_transform
  func.func @few(%x: tensor<1x4x9x9xf32>, %g: tensor<4x4x3x3xf32>) -> tensor<1x4x4x4xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [2, 2] groups 1 algorithm "auto"
      {transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 0.0, 1.0, 0.0], [1.0, -1.0, 1.0, 0.0, 1.0]]> : tensor<2x5xf32>, G = dense<[[0.5, 0.0, 0.5], [0.5, 0.0, -0.5], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]> : tensor<5x3xf32>, BT = dense<[[1.0, 0.0, 1.0, 0.0, 0.0], [1.0, 0.0, -1.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0]]> : tensor<5x5xf32>}]}
      : tensor<1x4x9x9xf32>, tensor<4x4x3x3xf32> -> tensor<1x4x4x4xf32>
    return %y : tensor<1x4x4x4xf32>
  }
}
