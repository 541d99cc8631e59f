// Transforms of fixed filters come from the last cache in each call where it has room for them and
// for all else that the kernel is called with: 13 MB for tiles of 3, with which there are 100
// products of a channel and a filter instead of 144. In a network they come from memory.
// RUN: weft-opt %s --factor-transform | FileCheck %s

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, l3_bytes = 8388608 : i64, l3_kept_bytes = 16777216 : i64, l3_bytes_per_second = 65000000000 : i64, products_hundredths = 200 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64}} {
  // CHECK-LABEL: func.func @alone(
  // CHECK:         weft.winograd_transform {{.*}} : tensor<5x3xf32>
  func.func @alone(%x: tensor<1x16x8x8x16xf32>, %g: tensor<512x256x3x3xf32> {weft.fixed}) -> tensor<1x32x6x6x16xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "auto"
      {layout = "nchw16c", out_layout = "nchw16c", transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}, {m = 3 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 2.0, 0.0], [0.0, 1.0, 1.0, 4.0, 1.0]]> : tensor<3x5xf32>, G = dense<[[0.5, 0.0, 0.0], [-0.5, -0.5, -0.5], [-0.16666667, 0.16666667, -0.16666667], [0.16666667, 0.33333334, 0.6666667], [0.0, 0.0, 1.0]]> : tensor<5x3xf32>, BT = dense<[[2.0, -1.0, -2.0, 1.0, 0.0], [0.0, -2.0, -1.0, 1.0, 0.0], [0.0, 2.0, -3.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0, 0.0], [0.0, 2.0, -1.0, -2.0, 1.0]]> : tensor<5x5xf32>}]}
      : tensor<1x16x8x8x16xf32>, tensor<512x256x3x3xf32> -> tensor<1x32x6x6x16xf32>
    return %y : tensor<1x32x6x6x16xf32>
  }
  // CHECK-LABEL: func.func @in_a_network(
  // CHECK:         weft.winograd_transform {{.*}} : tensor<4x3xf32>
  func.func @in_a_network(%x: tensor<1x16x8x8x16xf32>, %g: tensor<512x256x3x3xf32> {weft.fixed}, %next: tensor<512x512x3x3xf32> {weft.fixed}) -> tensor<1x32x6x6x16xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "auto"
      {layout = "nchw16c", out_layout = "nchw16c", transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}, {m = 3 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 2.0, 0.0], [0.0, 1.0, 1.0, 4.0, 1.0]]> : tensor<3x5xf32>, G = dense<[[0.5, 0.0, 0.0], [-0.5, -0.5, -0.5], [-0.16666667, 0.16666667, -0.16666667], [0.16666667, 0.33333334, 0.6666667], [0.0, 0.0, 1.0]]> : tensor<5x3xf32>, BT = dense<[[2.0, -1.0, -2.0, 1.0, 0.0], [0.0, -2.0, -1.0, 1.0, 0.0], [0.0, 2.0, -3.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0, 0.0], [0.0, 2.0, -1.0, -2.0, 1.0]]> : tensor<5x5xf32>}]}
      : tensor<1x16x8x8x16xf32>, tensor<512x256x3x3xf32> -> tensor<1x32x6x6x16xf32>
    return %y : tensor<1x32x6x6x16xf32>
  }
}
