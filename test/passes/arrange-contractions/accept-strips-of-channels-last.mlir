// Images with channels behind rows: their border is added for each strip alone, in the order that they
// have; the first strip has zeros above, the last one below. Results are copied to their places as
// vectors of channels.
// RUN: weft-opt %s --factor-transform --simplify-butterflies --fuse --arrange-contractions \
// RUN:   --mlir-print-local-scope | FileCheck %s
// RUN: weft-opt %s --factor-transform --simplify-butterflies --fuse --arrange-contractions \
// RUN:   --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=NOTE

// A row of tiles may be up to twice what the second cache holds.
// RUN: sed 's/l2_bytes = 139264/l2_bytes = 20000/' %s | weft-opt - --factor-transform --simplify-butterflies --fuse --arrange-contractions \
// RUN:   --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: sed 's/l2_bytes = 139264/l2_bytes = 16000/' %s | weft-opt - --factor-transform --simplify-butterflies --fuse --arrange-contractions \
// RUN:   --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=MORE

// TWICE: decided {{.*}}its tiles in 8 strips", Why="all of them and their products are 262144 bytes, a strip's are 32768, the second cache has 20000"
// MORE: rejected {{.*}}a row of them takes 32768 bytes, more than twice the second cache's 16000
// NOTE: decided {{.*}}what a strip reads of its images is copied for it alone", Why="the copy only adds a border: 1.5{{0*}} times the elements of the strip's tiles, which stay in a cache"

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 139264 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // CHECK-LABEL: func.func @last(
  // CHECK-NOT:     weft.map {{.*}}tensor<1x18x18x32xf32>
  // CHECK:         %[[FIRST:.*]] = weft.blocks [0] to [2] steps [2]
  // CHECK:           weft.map [0, 0, 0, 0] to [1, 1, 18, 32]
  // CHECK:           %[[LEFT:.*]] = weft.map [0, 1, 0, 0] to [1, 6, 1, 32]
  // CHECK:           weft.map [0, 1, 1, 0] to [1, 6, 17, 32] init(%{{.*}} stores [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
  // CHECK:             affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>
  // CHECK-NEXT:        affine.apply affine_map<(d0) -> (d0 - 1)>
  // CHECK:           weft.map [0, 0, 0, 0] to [1, 32, 2, 8]
  // CHECK:             tensor.extract {{.*}}tensor<1x6x18x32xf32>
  // CHECK:           weft.map [0, 0, 0, 0] to [1, 4, 16, 32] stores [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
  // CHECK:         %[[NEXT:.*]] = weft.blocks [2] to [6] steps [2] init(%[[FIRST]]
  // CHECK:           weft.map [0, 0, 1, 0] to [1, 6, 17, 32]
  // CHECK:         weft.blocks [6] to [8] steps [2] init(%[[NEXT]]
  // CHECK:           weft.map [0, 5, 0, 0] to [1, 6, 18, 32]
  // CHECK:           weft.map [0, 0, 1, 0] to [1, 5, 17, 32]
  func.func @last(%x: tensor<1x16x16x32xf32>, %g: tensor<32x32x3x3xf32>) -> tensor<1x16x16x32xf32> {
    %y = weft.conv %x, %g pad [1, 1] stride [1, 1] groups 1 algorithm "winograd" {layout = "nhwc", out_layout = "nhwc", transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}]}
      : tensor<1x16x16x32xf32>, tensor<32x32x3x3xf32> -> tensor<1x16x16x32xf32>
    return %y : tensor<1x16x16x32xf32>
  }
  // Blocks of channels, and rows and columns that tiles do not fill.
  // CHECK-LABEL: func.func @blocks(
  // CHECK:         weft.blocks [0] to [2] steps [2]
  // CHECK:           weft.map [0, 0, 1, 1, 0] to [1, 2, 6, 16, 16]
  // CHECK:           weft.map [0, 0, 0, 0, 0] to [1, 2, 4, 15, 16] stores [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>]
  // CHECK:             affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1)>
  // CHECK:         weft.blocks [2] to [6] steps [2]
  // CHECK:         weft.blocks [6] to [8] steps [2]
  // CHECK:           weft.map [0, 0, 0, 0, 0] to [1, 2, 3, 15, 16]
  func.func @blocks(%x: tensor<1x2x15x15x16xf32>, %g: tensor<32x32x3x3xf32>) -> tensor<1x2x15x15x16xf32> {
    %y = weft.conv %x, %g pad [1, 1] stride [1, 1] groups 1 algorithm "winograd" {layout = "nchw16c", out_layout = "nchw16c", transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}]}
      : tensor<1x2x15x15x16xf32>, tensor<32x32x3x3xf32> -> tensor<1x2x15x15x16xf32>
    return %y : tensor<1x2x15x15x16xf32>
  }
  // In planes the copy turns them: once, for all strips.
  // CHECK-LABEL: func.func @planes(
  // CHECK:         weft.map {{.*}}init{{.*}}tensor<1x18x18x32xf32>
  // CHECK:         weft.blocks [0] to [8] steps [2]
  func.func @planes(%x: tensor<1x32x16x16xf32>, %g: tensor<32x32x3x3xf32>) -> tensor<1x32x16x16xf32> {
    %y = weft.conv %x, %g pad [1, 1] stride [1, 1] groups 1 algorithm "winograd" {transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}]}
      : tensor<1x32x16x16xf32>, tensor<32x32x3x3xf32> -> tensor<1x32x16x16xf32>
    return %y : tensor<1x32x16x16xf32>
  }
}
