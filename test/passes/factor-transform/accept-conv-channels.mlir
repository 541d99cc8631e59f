// Filters of one channel each: results at the border are sums of what is within the image, the
// filters lie side by side; planes are copied with a border, so that rows end in no single numbers.
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
  // CHECK:         weft.map [0, 0, 0, 0, 0] to [1, 32, 1, 1, 10]
  // CHECK:         %[[PADDED:.*]] = weft.map [0, 0, 0, 1, 1] to [1, 32, 1, 10, 9]
  // CHECK:         weft.map [0, 0, 0, 0, 0] to [1, 32, 1, 9, 8]
  // CHECK:           weft.reduce sum [0, 0] to [3, 3]
  // CHECK:           tensor.extract %[[PADDED]][
  // CHECK-NOT:     weft.map
  // CHECK:         return
  func.func @planes(%x: tensor<1x32x9x8xf32>, %g: tensor<32x1x3x3xf32>) -> tensor<1x32x9x8xf32> {
    %y = weft.conv %x, %g pad [1, 1] stride [1, 1] groups 32 algorithm "direct" : tensor<1x32x9x8xf32>, tensor<32x1x3x3xf32> -> tensor<1x32x9x8xf32>
    return %y : tensor<1x32x9x8xf32>
  }
}
