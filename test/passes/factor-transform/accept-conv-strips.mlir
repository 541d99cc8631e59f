// Products count as the strips of tiles that arrange-contractions cuts, each of which reads all
// filters once more: 1.6 MB for tiles of 3, which the second cache does not hold, 1 MB for tiles of
// 2, which it holds. Where a strip waits for filters tiles of 2 are taken.
// RUN: sed 's/FAR/50000000000/; s/KEPT/29360128/' %s | weft-opt --factor-transform | FileCheck %s --check-prefix=KEPT
// RUN: sed 's/FAR/2000000000/; s/KEPT/1048576/' %s | weft-opt --factor-transform | FileCheck %s --check-prefix=FAR

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, l3_bytes = 8388608 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, strip_filter_bytes_per_second = 63000000000 : i64, strip_far_filter_bytes_per_second = FAR : i64, strip_tile_bytes_per_second = 80000000000 : i64, strip_kept_bytes = KEPT : i64}} {
  // KEPT-LABEL: func.func @layer(
  // KEPT:         weft.winograd_transform {{.*}} : tensor<5x3xf32>
  // FAR-LABEL:  func.func @layer(
  // FAR:          weft.winograd_transform {{.*}} : tensor<4x3xf32>
  func.func @layer(%x: tensor<16x8x30x30x16xf32>, %g: tensor<128x128x3x3xf32> {weft.fixed}) -> tensor<16x8x28x28x16xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "auto"
      {layout = "nchw16c", out_layout = "nchw16c", transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}, {m = 3 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 2.0, 0.0], [0.0, 1.0, 1.0, 4.0, 1.0]]> : tensor<3x5xf32>, G = dense<[[0.5, 0.0, 0.0], [-0.5, -0.5, -0.5], [-0.16666667, 0.16666667, -0.16666667], [0.16666667, 0.33333334, 0.6666667], [0.0, 0.0, 1.0]]> : tensor<5x3xf32>, BT = dense<[[2.0, -1.0, -2.0, 1.0, 0.0], [0.0, -2.0, -1.0, 1.0, 0.0], [0.0, 2.0, -3.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0, 0.0], [0.0, 2.0, -1.0, -2.0, 1.0]]> : tensor<5x5xf32>}]}
      : tensor<16x8x30x30x16xf32>, tensor<128x128x3x3xf32> -> tensor<16x8x28x28x16xf32>
    return %y : tensor<16x8x28x28x16xf32>
  }
}
