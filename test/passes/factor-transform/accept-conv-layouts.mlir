// Channels behind rows: images are read where they lie, borders are added in the same order, vectors
// of a direct sum lie along filters, and tiles are put together at the results' places.
// RUN: weft-opt %s --factor-transform --mlir-print-local-scope | FileCheck %s

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // CHECK-LABEL: func.func @along_filters(
  // CHECK:         weft.map [0, 0, 0, 0] to [1, 30, 32, 32] stores [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
  // CHECK:           weft.reduce sum [0, 0, 0] to [3, 3, 8]
  // CHECK:             tensor.extract %{{.*}} : tensor<1x32x34x8xf32>
  // CHECK:             tensor.extract %{{.*}} : tensor<32x8x3x3xf32>
  func.func @along_filters(%x: tensor<1x32x34x8xf32>, %g: tensor<32x8x3x3xf32>) -> tensor<1x30x32x32xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "direct" {layout = "nhwc", out_layout = "nhwc"} : tensor<1x32x34x8xf32>, tensor<32x8x3x3xf32> -> tensor<1x30x32x32xf32>
    return %y : tensor<1x30x32x32xf32>
  }
  // First layers: planes come in, blocks go out.
  // CHECK-LABEL: func.func @blocks(
  // CHECK:         weft.map [0, 0, 0, 0, 0] to [1, 2, 30, 32, 16]
  // CHECK:             tensor.extract %{{.*}} : tensor<1x3x32x34xf32>
  // CHECK:             tensor.extract %{{.*}} : tensor<32x3x3x3xf32>
  func.func @blocks(%x: tensor<1x3x32x34xf32>, %g: tensor<32x3x3x3xf32>) -> tensor<1x2x30x32x16xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "direct" {out_layout = "nchw16c"} : tensor<1x3x32x34xf32>, tensor<32x3x3x3xf32> -> tensor<1x2x30x32x16xf32>
    return %y : tensor<1x2x30x32x16xf32>
  }
  // Results by planes have no filters side by side: images go to planes first.
  // CHECK-LABEL: func.func @to_planes(
  // CHECK:         %[[X:.*]] = weft.map [0, 0, 0, 0] to [1, 16, 32, 34]
  // CHECK:           tensor.extract %{{.*}} : tensor<1x1x32x34x16xf32>
  // CHECK:         weft.map [0, 0, 0, 0] to [1, 8, 30, 32]
  // CHECK:             tensor.extract %[[X]]
  func.func @to_planes(%x: tensor<1x1x32x34x16xf32>, %g: tensor<8x16x3x3xf32>) -> tensor<1x8x30x32xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "direct" {layout = "nchw16c"} : tensor<1x1x32x34x16xf32>, tensor<8x16x3x3xf32> -> tensor<1x8x30x32xf32>
    return %y : tensor<1x8x30x32xf32>
  }
  // Pixels of short rows that have no window lie in longer ones.
  // CHECK-LABEL: func.func @short_rows(
  // CHECK:         %[[X:.*]] = weft.reshape %{{.*}} : tensor<1x4x7x7x16xf32> -> tensor<1x4x1x49x16xf32>
  // CHECK:         %[[Y:.*]] = weft.map [0, 0, 0, 0, 0] to [1, 2, 1, 49, 16]
  // CHECK:             tensor.extract %[[X]]
  // CHECK:         weft.reshape %[[Y]] : tensor<1x2x1x49x16xf32> -> tensor<1x2x7x7x16xf32>
  func.func @short_rows(%x: tensor<1x4x7x7x16xf32>, %g: tensor<32x64x1x1xf32>) -> tensor<1x2x7x7x16xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "direct" {layout = "nchw16c", out_layout = "nchw16c"} : tensor<1x4x7x7x16xf32>, tensor<32x64x1x1xf32> -> tensor<1x2x7x7x16xf32>
    return %y : tensor<1x2x7x7x16xf32>
  }
  // In planes they are products of matrices, one an image.
  // CHECK-LABEL: func.func @pixels(
  // CHECK:         %[[X:.*]] = weft.reshape %{{.*}} : tensor<2x64x14x14xf32> -> tensor<2x64x196xf32>
  // CHECK:         weft.map [0, 0, 0] to [2, 64, 196]
  // CHECK:           weft.reduce sum [0] to [64]
  // CHECK:             tensor.extract %[[X]]
  // CHECK:             tensor.extract %{{.*}} : tensor<64x64xf32>
  func.func @pixels(%x: tensor<2x64x14x14xf32>, %g: tensor<64x64x1x1xf32>) -> tensor<2x64x14x14xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "direct" : tensor<2x64x14x14xf32>, tensor<64x64x1x1xf32> -> tensor<2x64x14x14xf32>
    return %y : tensor<2x64x14x14xf32>
  }
  // Many images of few pixels do not fill vectors: windows, all rows of a plane as one.
  // CHECK-LABEL: func.func @few_pixels(
  // CHECK:         weft.map [0, 0, 0] to [2, 64, 25]
  // CHECK:           weft.reduce sum [0, 0, 0] to [64, 1, 1]
  func.func @few_pixels(%x: tensor<2x64x5x5xf32>, %g: tensor<64x64x1x1xf32>) -> tensor<2x64x5x5xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "direct" : tensor<2x64x5x5xf32>, tensor<64x64x1x1xf32> -> tensor<2x64x5x5xf32>
    return %y : tensor<2x64x5x5xf32>
  }
  // With strides, those that are read are brought together, and are products as well.
  // CHECK-LABEL: func.func @sampled(
  // CHECK:         %[[X:.*]] = weft.map [0, 0, 0, 0] to [1, 64, 7, 14] {{.*}}weft.sorted
  // CHECK:           affine.apply affine_map<(d0) -> (d0 * 2)>
  // CHECK:         weft.reshape %[[X]] : tensor<1x64x7x14xf32> -> tensor<1x64x98xf32>
  // CHECK:         weft.map [0, 0, 0] to [1, 64, 98]
  func.func @sampled(%x: tensor<1x64x14x14xf32>, %g: tensor<64x64x1x1xf32>) -> tensor<1x64x7x14xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [2, 1] groups 1 algorithm "direct" : tensor<1x64x14x14xf32>, tensor<64x64x1x1xf32> -> tensor<1x64x7x14xf32>
    return %y : tensor<1x64x7x14xf32>
  }
  // Blocks of channels, too: rows of seven pixels lie in one then.
  // CHECK-LABEL: func.func @sampled_blocks(
  // CHECK:         weft.map [0, 0, 0, 0, 0] to [1, 4, 7, 7, 16] {{.*}}weft.sorted
  // CHECK:         weft.map [0, 0, 0, 0, 0] to [1, 2, 1, 49, 16]
  func.func @sampled_blocks(%x: tensor<1x4x13x13x16xf32>, %g: tensor<32x64x1x1xf32>) -> tensor<1x2x7x7x16xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [2, 2] groups 1 algorithm "direct" {layout = "nchw16c", out_layout = "nchw16c"} : tensor<1x4x13x13x16xf32>, tensor<32x64x1x1xf32> -> tensor<1x2x7x7x16xf32>
    return %y : tensor<1x2x7x7x16xf32>
  }
  // Images and results in planes go through blocks of channels where that costs less than sorting pixels by
  // their remainders, or than rows of which the last vector is mostly empty.
  // CHECK-LABEL: func.func @through_blocks(
  // CHECK:         %[[X:.*]] = weft.map [0, 0, 1, 1, 0] to [1, 8, 57, 57, 16] init
  // CHECK:           %[[C:.*]] = affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1)>
  // CHECK:           tensor.extract %arg0[%{{.*}}, %[[C]], %{{.*}}, %{{.*}}]
  // CHECK:         %[[Y:.*]] = weft.map [0, 0, 0, 0, 0] to [1, 8, 28, 28, 16]
  // CHECK:             tensor.extract %[[X]]
  // CHECK:         %[[FLAT:.*]] = weft.reshape %[[Y]] : {{.*}} -> tensor<1x8x784x16xf32>
  // CHECK:         weft.map [0, 0, 0, 0] to [1, 8, 16, 784] stores [affine_map<(d0, d1, d2, d3) -> (d0, d1 * 16 + d2, d3)>]
  // CHECK:           tensor.extract %[[FLAT]]
  func.func @through_blocks(%x: tensor<1x128x56x56xf32>, %g: tensor<128x128x3x3xf32> {weft.fixed}) -> tensor<1x128x28x28xf32> {
    %y = weft.conv %x, %g pad [1, 1] stride [2, 2] groups 1 algorithm "direct" : tensor<1x128x56x56xf32>, tensor<128x128x3x3xf32> -> tensor<1x128x28x28xf32>
    return %y : tensor<1x128x28x28xf32>
  }
  // CHECK-LABEL: func.func @tiles(
  // CHECK:         weft.map [0, 0, 1, 1, 0] to [1, 2, 9, 9, 16] {{.*}} stores [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>]
  // CHECK:         weft.map [0, 0, 0, 0, 0, 0] to [1, 32, 4, 4, 4, 4]
  // CHECK:           tensor.extract %{{.*}} : tensor<1x2x10x10x16xf32>
  // CHECK:         weft.map [0, 0, 0, 0, 0, 0, 0] to [1, 3, 16, 4, 2, 4, 2] stores [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d3 * 2 + d4, d5 * 2 + d6, d2)>]
  func.func @tiles(%x: tensor<1x2x8x8x16xf32>, %g: tensor<48x32x3x3xf32>) -> tensor<1x3x8x8x16xf32> {
    %y = weft.conv %x, %g pad [1, 1] stride [1, 1] groups 1 algorithm "winograd" {layout = "nchw16c", out_layout = "nchw16c", transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}]} : tensor<1x2x8x8x16xf32>, tensor<48x32x3x3xf32> -> tensor<1x3x8x8x16xf32>
    return %y : tensor<1x3x8x8x16xf32>
  }
}
