// Filters of one channel each: results at the border are sums of what is within the image, the
// filters lie side by side; planes are copied with a border, so that rows end in no single numbers.
// Planes whose rows would make poor vectors go through blocks of channels.
// RUN: weft-opt %s --factor-transform --mlir-print-local-scope | FileCheck %s

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // CHECK-LABEL: func.func @last(
  // CHECK:         %[[G:.*]] = weft.map [0, 0, 0] to [3, 3, 32] {{.*}}weft.sorted
  // CHECK:         %[[CORNER:.*]] = weft.map [0, 0, 0, 0] to [1, 1, 1, 32]
  // CHECK:           weft.reduce sum [0, 0] to [2, 2]
  // CHECK:           %[[R:.*]] = affine.apply affine_map<(d0) -> (d0 + 1)>
  // CHECK:           %[[S:.*]] = affine.apply affine_map<(d0) -> (d0 + 1)>
  // CHECK:           tensor.extract %[[G]][%[[R]], %[[S]], %{{.*}}]
  // CHECK:         weft.map [0, 0, 1, 0] to [1, 1, 7, 32] init(%[[CORNER]] :
  // CHECK:           weft.reduce sum [0, 0] to [2, 3]
  // CHECK:         weft.map [0, 1, 1, 0] to [1, 8, 7, 32]
  // CHECK:           weft.reduce sum [0, 0] to [3, 3]
  // CHECK:           tensor.extract %arg0[
  // CHECK:         weft.map [0, 8, 7, 0] to [1, 9, 8, 32]
  // CHECK:           weft.reduce sum [0, 0] to [2, 2]
  func.func @last(%x: tensor<1x9x8x32xf32>, %g: tensor<32x1x3x3xf32>) -> tensor<1x9x8x32xf32> {
    %y = weft.conv %x, %g pad [1, 1] stride [1, 1] groups 32 algorithm "direct" {layout = "nhwc", out_layout = "nhwc"} : tensor<1x9x8x32xf32>, tensor<32x1x3x3xf32> -> tensor<1x9x8x32xf32>
    return %y : tensor<1x9x8x32xf32>
  }
  // CHECK-LABEL: func.func @blocks(
  // CHECK:         %[[G:.*]] = weft.map [0, 0, 0, 0] to [2, 3, 3, 16]
  // CHECK:           affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1)>
  // CHECK:         weft.map [0, 0, 0, 0, 0] to [1, 2, 7, 6, 16]
  // CHECK:           weft.reduce sum [0, 0] to [3, 3]
  // CHECK:           tensor.extract %arg0[
  // CHECK:           tensor.extract %[[G]][
  func.func @blocks(%x: tensor<1x2x9x8x16xf32>, %g: tensor<32x1x3x3xf32>) -> tensor<1x2x7x6x16xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 32 algorithm "direct" {layout = "nchw16c", out_layout = "nchw16c"} : tensor<1x2x9x8x16xf32>, tensor<32x1x3x3xf32> -> tensor<1x2x7x6x16xf32>
    return %y : tensor<1x2x7x6x16xf32>
  }
  // CHECK-LABEL: func.func @planes(
  // CHECK:         weft.map [0, 0, 0, 0, 0] to [1, 32, 1, 1, 34]
  // CHECK:         %[[PADDED:.*]] = weft.map [0, 0, 0, 1, 1] to [1, 32, 1, 10, 33]
  // CHECK:         weft.map [0, 0, 0, 0, 0] to [1, 32, 1, 9, 32]
  // CHECK:           weft.reduce sum [0, 0] to [3, 3]
  // CHECK:           tensor.extract %[[PADDED]][
  // CHECK-NOT:     weft.map
  // CHECK:         return
  func.func @planes(%x: tensor<1x32x9x32xf32>, %g: tensor<32x1x3x3xf32>) -> tensor<1x32x9x32xf32> {
    %y = weft.conv %x, %g pad [1, 1] stride [1, 1] groups 32 algorithm "direct" : tensor<1x32x9x32xf32>, tensor<32x1x3x3xf32> -> tensor<1x32x9x32xf32>
    return %y : tensor<1x32x9x32xf32>
  }
  // Of short rows all pixels are turned as one.
  // CHECK-LABEL: func.func @turned(
  // CHECK:         %[[G:.*]] = weft.map [0, 0, 0, 0] to [2, 3, 3, 16] {{.*}}weft.sorted
  // CHECK:         %[[FLAT:.*]] = weft.map [0, 0, 0, 0] to [1, 2, 72, 16] {{.*}}weft.sorted
  // CHECK:           affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1)>
  // CHECK:         %[[X:.*]] = weft.reshape %[[FLAT]] {{.*}} -> tensor<1x2x9x8x16xf32>
  // CHECK:         weft.map [0, 0, 0, 0, 0] to [1, 2, 1, 1, 16] init
  // CHECK:           weft.reduce sum [0, 0] to [2, 2]
  // CHECK:           tensor.extract %[[X]][
  // CHECK:           tensor.extract %[[G]][
  // CHECK:         weft.map [0, 0, 0, 0] to [1, 2, 16, 72] stores [affine_map<(d0, d1, d2, d3) -> (d0, d1 * 16 + d2, d3)>]
  func.func @turned(%x: tensor<1x32x9x8xf32>, %g: tensor<32x1x3x3xf32>) -> tensor<1x32x9x8xf32> {
    %y = weft.conv %x, %g pad [1, 1] stride [1, 1] groups 32 algorithm "direct" : tensor<1x32x9x8xf32>, tensor<32x1x3x3xf32> -> tensor<1x32x9x8xf32>
    return %y : tensor<1x32x9x8xf32>
  }
  // Results of more kinds than have sums of their own: a copy with a border, in blocks at once.
  // CHECK-LABEL: func.func @turned_with_border(
  // CHECK:         weft.map [0, 0, 2, 2, 0] to [1, 2, 14, 14, 16] {{.*}}weft.sorted
  // CHECK:           affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1)>
  // CHECK:           tensor.extract %arg0[
  // CHECK:         weft.map [0, 0, 0, 0, 0] to [1, 2, 12, 12, 16]
  // CHECK:           weft.reduce sum [0, 0] to [5, 5]
  // CHECK:         weft.map [0, 0, 0, 0] to [1, 2, 16, 144]
  func.func @turned_with_border(%x: tensor<1x32x12x12xf32>, %g: tensor<32x1x5x5xf32>) -> tensor<1x32x12x12xf32> {
    %y = weft.conv %x, %g pad [2, 2] stride [1, 1] groups 32 algorithm "direct" : tensor<1x32x12x12xf32>, tensor<32x1x5x5xf32> -> tensor<1x32x12x12xf32>
    return %y : tensor<1x32x12x12xf32>
  }
  // CHECK-LABEL: func.func @no_whole_blocks(
  // CHECK:         weft.map [0, 0, 0, 0, 0] to [1, 24, 1, 9, 8]
  func.func @no_whole_blocks(%x: tensor<1x24x9x8xf32>, %g: tensor<24x1x3x3xf32>) -> tensor<1x24x9x8xf32> {
    %y = weft.conv %x, %g pad [1, 1] stride [1, 1] groups 24 algorithm "direct" : tensor<1x24x9x8xf32>, tensor<24x1x3x3xf32> -> tensor<1x24x9x8xf32>
    return %y : tensor<1x24x9x8xf32>
  }
}
