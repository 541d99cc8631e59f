// Tiles that the second cache (136 KB here) does not hold are transformed, multiplied and transformed
// back a strip of their rows at a time; the last strip has less of a tile.
// RUN: weft-opt %s --factor-transform --simplify-butterflies --fuse --arrange-contractions \
// RUN:   --mlir-print-local-scope | FileCheck %s
// RUN: weft-opt %s --factor-transform --simplify-butterflies --fuse --arrange-contractions \
// RUN:   --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}its tiles in 4 strips", Why="all of them and their products are 262144 bytes, a strip's are 65536, the second cache has 139264"
// NOTE: rejected {{.*}}its tiles a strip at a time", Why="all of them, 98304 bytes, stay in the second cache (139264 bytes) as they are"

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 139264 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // CHECK-LABEL: func.func @strips(
  // CHECK:         %[[FIRST:.*]] = weft.blocks [0] to [6] steps [2] init({{.*}} places [affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d0 * 2 + d3, d4)>] attributes {weft.in_turn} {
  // CHECK:         ^bb0(%[[ORIGIN:.*]]: index):
  // CHECK:           %[[TILES:.*]] = weft.map [0, 0, 0, 0] to [1, 32, 2, 8]
  // CHECK:             affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%[[ORIGIN]], %{{.*}})
  // CHECK:           } {{.*}}tensor<4x4x1x2x8x32xf32>
  // CHECK:           weft.reshape %{{.*}} : tensor<4x4x1x2x8x32xf32> -> tensor<16x16x32xf32>
  // CHECK:           weft.map [0, 0, 0] to [16, 16, 32] {{.*}} attributes {weft.contraction
  // CHECK:           weft.map [0, 0, 0, 0] to [1, 32, 2, 8]
  // CHECK:           weft.map [0, 0, 0, 0] to [1, 32, 4, 16]
  // CHECK:         weft.blocks [6] to [8] steps [2] init(%[[FIRST]]{{.*}} attributes {weft.beside, weft.in_turn}
  // CHECK:           weft.map [0, 0, 0, 0] to [1, 32, 3, 16]
  // CHECK-NOT:     weft.blocks
  func.func @strips(%x: tensor<1x32x17x18xf32>, %g: tensor<32x32x3x3xf32>) -> tensor<1x32x15x16xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "winograd" {transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}]}
      : tensor<1x32x17x18xf32>, tensor<32x32x3x3xf32> -> tensor<1x32x15x16xf32>
    return %y : tensor<1x32x15x16xf32>
  }
  // Few tiles stay in the cache as they are.
  // CHECK-LABEL: func.func @few(
  // CHECK-NOT:     weft.blocks
  // CHECK:         return
  func.func @few(%x: tensor<1x32x7x18xf32>, %g: tensor<32x32x3x3xf32>) -> tensor<1x32x5x16xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "winograd" {transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}]}
      : tensor<1x32x7x18xf32>, tensor<32x32x3x3xf32> -> tensor<1x32x5x16xf32>
    return %y : tensor<1x32x5x16xf32>
  }
}
