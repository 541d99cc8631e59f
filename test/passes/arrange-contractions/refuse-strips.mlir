// Strips read the filters once each: not where that is more than what they save, which counts more the
// more of it does not stay in the third cache.
// RUN: sed s/L3/8388608/ %s | weft-opt - --factor-transform --simplify-butterflies --fuse \
// RUN:   --arrange-contractions --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s
// RUN: sed s/L3/262144/ %s | weft-opt - --factor-transform --simplify-butterflies --fuse \
// RUN:   --arrange-contractions --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=SMALL

// CHECK: rejected {{.*}}its tiles a strip at a time", Why="the filters would be read 12 times, 262144 bytes each time; the tiles and their products are 786432 bytes, the third cache has 8388608"
// CHECK-NOT: weft.in_turn
// SMALL: decided {{.*}}its tiles in 12 strips"
// SMALL: weft.in_turn

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 65536 : i64, l3_bytes = L3 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  func.func @f(%x: tensor<4x64x7x18xf32>, %g: tensor<64x64x3x3xf32>) -> tensor<4x64x5x16xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "winograd" {transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}]}
      : tensor<4x64x7x18xf32>, tensor<64x64x3x3xf32> -> tensor<4x64x5x16xf32>
    return %y : tensor<4x64x5x16xf32>
  }
}
