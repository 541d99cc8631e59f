// Filters that do not stay in the second cache come anew for each strip: strips are as large as the
// cache, not as half of it.
// RUN: weft-opt %s --factor-transform --simplify-butterflies --fuse --arrange-contractions \
// RUN:   --mlir-print-local-scope --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s
// Where 5 of 8 rows have room, strips are even, and told as long as they are: 4 rows.
// RUN: sed 's/48x/64x/g; s/ l2_bytes = 163840/ l2_bytes = 250000/' %s | weft-opt - \
// RUN:   --factor-transform --simplify-butterflies --fuse --arrange-contractions \
// RUN:   --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=EVEN

// EVEN: decided {{.*}}its tiles in 2 strips", Why="all of them and their products are 393216 bytes, a strip's are 196608, the second cache has 250000"
// CHECK: decided {{.*}}its tiles in 2 strips", Why="all of them and their products are 327680 bytes, a strip's are 163840, the second cache has 163840"
module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 163840 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // CHECK: weft.blocks [0] to [4] steps [4]
  // CHECK: weft.blocks [4] to [8] steps [4]
  func.func @strips(%x: tensor<1x32x17x18xf32>, %g: tensor<48x32x3x3xf32>) -> tensor<1x48x15x16xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "winograd" {transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}]}
      : tensor<1x32x17x18xf32>, tensor<48x32x3x3xf32> -> tensor<1x48x15x16xf32>
    return %y : tensor<1x48x15x16xf32>
  }
}
