// Where the machine's table has the rates of strips, their length is the cheapest: short where tiles
// are slow beyond the second cache, longer where filters are, and all tiles at once where filters
// are very slow. Panels have the rows of a strip.
// RUN: weft-opt %s --factor-transform --simplify-butterflies --fuse --arrange-contractions \
// RUN:   --mlir-print-local-scope --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s
// RUN: sed 's/ strip_filter_bytes_per_second = 60/ strip_filter_bytes_per_second = 25/' %s \
// RUN:   | weft-opt - --factor-transform --simplify-butterflies --fuse --arrange-contractions \
// RUN:   --mlir-print-local-scope --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=LONGER
// RUN: sed 's/ strip_filter_bytes_per_second = 60/ strip_filter_bytes_per_second = 10/' %s \
// RUN:   | weft-opt - --factor-transform --simplify-butterflies --fuse --arrange-contractions \
// RUN:   --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=ALL

// Filters that the last cache keeps in part, by their own rate.
// RUN: sed 's/strip_kept_bytes = 4194304/strip_kept_bytes = 65536/' %s \
// RUN:   | weft-opt - --factor-transform --simplify-butterflies --fuse --arrange-contractions \
// RUN:   --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=ALL

// CHECK: decided {{.*}}its tiles in 8 strips", Why="all of them and their products are 393216 bytes, a strip's are 49152, the second cache has 60000: with the filters that each strip reads once more {{[0-9]+}} cycles, the fewest or close to it"
// CHECK: weft.blocks [0] to [7] steps [1]
// CHECK: weft.map [0, 0, 0] to [16, 12, 32] {{.*}} attributes {weft.contraction = {{.*}}rows = 12
// CHECK: weft.blocks [7] to [8] steps [1]

// LONGER: decided {{.*}}its tiles in 4 strips"
// LONGER: weft.blocks [0] to [6] steps [2]
// LONGER: weft.map [0, 0, 0] to [16, 24, 32] {{.*}} attributes {weft.contraction = {{.*}}rows = 14
// LONGER: weft.blocks [6] to [8] steps [2]

// ALL: rejected {{.*}}its tiles a strip at a time", Why="each strip would read all filters once more: {{[0-9]+}} cycles for all tiles at once are the fewest, or close to it"

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 60000 : i64, l3_bytes = 4194304 : i64, strip_filter_bytes_per_second = 60000000000 : i64, strip_far_filter_bytes_per_second = 10000000000 : i64, strip_tile_bytes_per_second = 80000000000 : i64, strip_kept_bytes = 4194304 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  func.func @strips(%x: tensor<1x32x17x26xf32>, %g: tensor<32x32x3x3xf32>) -> tensor<1x32x15x24xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "winograd" {transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}]}
      : tensor<1x32x17x26xf32>, tensor<32x32x3x3xf32> -> tensor<1x32x15x24xf32>
    return %y : tensor<1x32x15x24xf32>
  }
}
