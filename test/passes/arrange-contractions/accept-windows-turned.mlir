// Results with filters side by side: an element of the image for each of a vector of filters, which are
// put side by side before, the vectors of a block one behind the other as its terms lie in memory. Not
// where that costs as much as it saves.
// RUN: weft-opt %s --arrange-contractions --mlir-print-local-scope | FileCheck %s
// RUN: weft-opt %s --arrange-contractions --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}columns of what its vectors are loaded from side by side", Why="each of its elements is used 16 times at least"

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // CHECK-LABEL: @channels_last
  // CHECK:         %[[LINES:.*]] = weft.reshape %{{.*}} : tensor<32x16x3x3xf32> -> tensor<1x32x144xf32>
  // CHECK:         %[[G:.*]] = weft.map [0, 0, 0, 0] to [1, 1, 144, 32]
  // CHECK:           %[[FILTER:.*]] = affine.apply affine_map<(d0, d1) -> (d0 * 32 + d1)>
  // CHECK:           tensor.extract %[[LINES]][%{{.*}}, %[[FILTER]], %{{.*}}]
  // CHECK:         weft.map [0, 0, 0] to [30, 40, 32] {{.*}}weft.contraction
  // CHECK:         ^bb0(%[[I:.*]]: index, %[[J:.*]]: index, %[[K:.*]]: index):
  // CHECK:         ^bb0(%[[R:.*]]: index, %[[S:.*]]: index, %[[C:.*]]: index):
  // CHECK:           %[[TERM:.*]] = affine.apply affine_map<(d0, d1, d2) -> (d0 * 3 + d1 + d2 * 9)>(%[[R]], %[[S]], %[[C]])
  // CHECK:           tensor.extract %[[G]][%{{.*}}, %{{.*}}, %[[TERM]], %[[K]]]
  func.func @channels_last(%x: tensor<32x42x16xf32>, %g: tensor<32x16x3x3xf32>) -> tensor<30x40x32xf32> {
    %y = weft.map [0, 0, 0] to [30, 40, 32] stores [affine_map<(i, j, k) -> (i, j, k)>] {
    ^bb0(%i: index, %j: index, %k: index):
      %sum = weft.reduce sum [0, 0, 0] to [3, 3, 16] {
      ^bb0(%r: index, %s: index, %c: index):
        %a = affine.apply affine_map<(i, r) -> (i + r)>(%i, %r)
        %b = affine.apply affine_map<(j, s) -> (j + s)>(%j, %s)
        %image = tensor.extract %x[%a, %b, %c] : tensor<32x42x16xf32>
        %filter = tensor.extract %g[%k, %c, %r, %s] : tensor<32x16x3x3xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<30x40x32xf32>
    return %y : tensor<30x40x32xf32>
  }
  // The loop over a few channels is written out by the compiler of C: one vector of filters a panel.
  // CHECK-LABEL: @few_channels
  // CHECK:         weft.map [0, 0, 0, 0] to [1, 2, 36, 16]
  // CHECK:         weft.map [0, 0, 0] to [30, 40, 32] {{.*}}vectors = 1
  func.func @few_channels(%x: tensor<32x42x4xf32>, %g: tensor<32x4x3x3xf32>) -> tensor<30x40x32xf32> {
    %y = weft.map [0, 0, 0] to [30, 40, 32] stores [affine_map<(i, j, k) -> (i, j, k)>] {
    ^bb0(%i: index, %j: index, %k: index):
      %sum = weft.reduce sum [0, 0, 0] to [3, 3, 4] {
      ^bb0(%r: index, %s: index, %c: index):
        %a = affine.apply affine_map<(i, r) -> (i + r)>(%i, %r)
        %b = affine.apply affine_map<(j, s) -> (j + s)>(%j, %s)
        %image = tensor.extract %x[%a, %b, %c] : tensor<32x42x4xf32>
        %filter = tensor.extract %g[%k, %c, %r, %s] : tensor<32x4x3x3xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<30x40x32xf32>
    return %y : tensor<30x40x32xf32>
  }
  // CHECK-LABEL: @few
  // CHECK-NOT:     weft.contraction
  // CHECK:         return
  func.func @few(%x: tensor<6x4096xf32>, %g: tensor<32x4096x3xf32>) -> tensor<4x32xf32> {
    %y = weft.map [0, 0] to [4, 32] stores [affine_map<(i, k) -> (i, k)>] {
    ^bb0(%i: index, %k: index):
      %sum = weft.reduce sum [0, 0] to [3, 4096] {
      ^bb0(%r: index, %c: index):
        %a = affine.apply affine_map<(i, r) -> (i + r)>(%i, %r)
        %image = tensor.extract %x[%a, %c] : tensor<6x4096xf32>
        %filter = tensor.extract %g[%k, %c, %r] : tensor<32x4096x3xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<4x32xf32>
    return %y : tensor<4x32xf32>
  }
  // Blocks of filters: a panel has vectors of two. All of them stay in half of the second cache, the
  // image does not: a row of it is read for all blocks before the next one.
  // CHECK-LABEL: @blocks
  // CHECK:         %[[G:.*]] = weft.map [0, 0, 0, 0] to [1, 2, 256, 32]
  // CHECK:         weft.map [0, 0, 0, 0] to [56, 2, 56, 32] {{.*}}stores [affine_map<(d0, d1, d2, d3) -> (d1 * 2 + d3 floordiv 16, d0, d2, d3 mod 16)>] {{.*}}vectors = 2
  // CHECK:         ^bb0(%[[I:.*]]: index, %[[B:.*]]: index, %[[J:.*]]: index, %[[K:.*]]: index):
  // CHECK:         ^bb0(%[[C:.*]]: index, %[[D:.*]]: index):
  // CHECK:           tensor.extract %arg0
  // CHECK:           %[[TERM:.*]] = affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1)>(%[[C]], %[[D]])
  // CHECK-NEXT:      tensor.extract %[[G]][%{{.*}}, %[[B]], %[[TERM]], %[[K]]]
  func.func @blocks(%x: tensor<16x56x56x16xf32>, %g: tensor<64x256xf32>) -> tensor<4x56x56x16xf32> {
    %y = weft.map [0, 0, 0, 0] to [4, 56, 56, 16] stores [affine_map<(b, i, j, k) -> (b, i, j, k)>] {
    ^bb0(%b: index, %i: index, %j: index, %k: index):
      %sum = weft.reduce sum [0, 0] to [16, 16] {
      ^bb0(%c: index, %d: index):
        %f = affine.apply affine_map<(b, k) -> (b * 16 + k)>(%b, %k)
        %t = affine.apply affine_map<(c, d) -> (c * 16 + d)>(%c, %d)
        %image = tensor.extract %x[%c, %i, %j, %d] : tensor<16x56x56x16xf32>
        %filter = tensor.extract %g[%f, %t] : tensor<64x256xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<4x56x56x16xf32>
    return %y : tensor<4x56x56x16xf32>
  }
  // Of an image that stays there, rows are read again for each block, as it was written.
  // CHECK-LABEL: @small
  // CHECK:         weft.map [0, 0, 0, 0] to [2, 14, 14, 32] {{.*}}weft.contraction
  func.func @small(%x: tensor<16x14x14x16xf32>, %g: tensor<64x256xf32>) -> tensor<4x14x14x16xf32> {
    %y = weft.map [0, 0, 0, 0] to [4, 14, 14, 16] stores [affine_map<(b, i, j, k) -> (b, i, j, k)>] {
    ^bb0(%b: index, %i: index, %j: index, %k: index):
      %sum = weft.reduce sum [0, 0] to [16, 16] {
      ^bb0(%c: index, %d: index):
        %f = affine.apply affine_map<(b, k) -> (b * 16 + k)>(%b, %k)
        %t = affine.apply affine_map<(c, d) -> (c * 16 + d)>(%c, %d)
        %image = tensor.extract %x[%c, %i, %j, %d] : tensor<16x14x14x16xf32>
        %filter = tensor.extract %g[%f, %t] : tensor<64x256xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<4x14x14x16xf32>
    return %y : tensor<4x14x14x16xf32>
  }
  // What is done with a sum is done for its own filter.
  // CHECK-LABEL: @bias
  // CHECK:         weft.map [0, 0, 0, 0] to [2, 14, 14, 32] {{.*}}weft.contraction
  // CHECK:           %[[B:.*]] = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1 floordiv 16)>
  // CHECK:           %[[K:.*]] = affine.apply affine_map<(d0) -> (d0 mod 16)>
  // CHECK:           tensor.extract %arg2[%[[B]], %[[K]]]
  // CHECK-NOT:     weft.map
  // CHECK:         return
  func.func @bias(%x: tensor<16x14x14x16xf32>, %g: tensor<64x256xf32>, %h: tensor<4x16xf32>) -> tensor<4x14x14x16xf32> {
    %y = weft.map [0, 0, 0, 0] to [4, 14, 14, 16] stores [affine_map<(b, i, j, k) -> (b, i, j, k)>] {
    ^bb0(%b: index, %i: index, %j: index, %k: index):
      %sum = weft.reduce sum [0, 0] to [16, 16] {
      ^bb0(%c: index, %d: index):
        %f = affine.apply affine_map<(b, k) -> (b * 16 + k)>(%b, %k)
        %t = affine.apply affine_map<(c, d) -> (c * 16 + d)>(%c, %d)
        %image = tensor.extract %x[%c, %i, %j, %d] : tensor<16x14x14x16xf32>
        %filter = tensor.extract %g[%f, %t] : tensor<64x256xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      %bias = tensor.extract %h[%b, %k] : tensor<4x16xf32>
      %more = arith.addf %sum, %bias : f32
      weft.yield %more : f32
    } : tensor<4x14x14x16xf32>
    return %y : tensor<4x14x14x16xf32>
  }
  // Of six blocks three share a panel where rows are short, of blocks of 24 filters none: a vector
  // would have filters of two.
  // CHECK-LABEL: @six_blocks(
  // CHECK:         weft.map [0, 0, 0, 0] to [2, 7, 7, 48] {{.*}}stores [affine_map<(d0, d1, d2, d3) -> (d0 * 3 + d3 floordiv 16, d1, d2, d3 mod 16)>] {{.*}}vectors = 3
  func.func @six_blocks(%x: tensor<16x7x7x16xf32>, %g: tensor<96x256xf32>) -> tensor<6x7x7x16xf32> {
    %y = weft.map [0, 0, 0, 0] to [6, 7, 7, 16] stores [affine_map<(b, i, j, k) -> (b, i, j, k)>] {
    ^bb0(%b: index, %i: index, %j: index, %k: index):
      %sum = weft.reduce sum [0, 0] to [16, 16] {
      ^bb0(%c: index, %d: index):
        %f = affine.apply affine_map<(b, k) -> (b * 16 + k)>(%b, %k)
        %t = affine.apply affine_map<(c, d) -> (c * 16 + d)>(%c, %d)
        %image = tensor.extract %x[%c, %i, %j, %d] : tensor<16x7x7x16xf32>
        %filter = tensor.extract %g[%f, %t] : tensor<96x256xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<6x7x7x16xf32>
    return %y : tensor<6x7x7x16xf32>
  }
  // CHECK-LABEL: @blocks_of_24(
  // CHECK:         weft.map [0, 0, 0, 0] to [3, 14, 14, 24] {{.*}}stores [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
  func.func @blocks_of_24(%x: tensor<14x14x64xf32>, %g: tensor<72x64xf32>) -> tensor<3x14x14x24xf32> {
    %y = weft.map [0, 0, 0, 0] to [3, 14, 14, 24] stores [affine_map<(b, i, j, k) -> (b, i, j, k)>] {
    ^bb0(%b: index, %i: index, %j: index, %k: index):
      %sum = weft.reduce sum [0] to [64] {
      ^bb0(%c: index):
        %f = affine.apply affine_map<(b, k) -> (b * 24 + k)>(%b, %k)
        %image = tensor.extract %x[%i, %j, %c] : tensor<14x14x64xf32>
        %filter = tensor.extract %g[%f, %c] : tensor<72x64xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<3x14x14x24xf32>
    return %y : tensor<3x14x14x24xf32>
  }
  // Few channels in blocks of filters: one block a panel.
  // CHECK-LABEL: @few_channels_in_blocks(
  // CHECK:         weft.map [0, 0, 0, 0] to [2, 28, 28, 16] {{.*}}vectors = 1
  func.func @few_channels_in_blocks(%x: tensor<30x28x3xf32>, %g: tensor<32x3x3xf32>) -> tensor<2x28x28x16xf32> {
    %y = weft.map [0, 0, 0, 0] to [2, 28, 28, 16] stores [affine_map<(b, i, j, k) -> (b, i, j, k)>] {
    ^bb0(%b: index, %i: index, %j: index, %k: index):
      %sum = weft.reduce sum [0, 0] to [3, 3] {
      ^bb0(%r: index, %c: index):
        %f = affine.apply affine_map<(b, k) -> (b * 16 + k)>(%b, %k)
        %a = affine.apply affine_map<(i, r) -> (i + r)>(%i, %r)
        %image = tensor.extract %x[%a, %j, %c] : tensor<30x28x3xf32>
        %filter = tensor.extract %g[%f, %r, %c] : tensor<32x3x3xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<2x28x28x16xf32>
    return %y : tensor<2x28x28x16xf32>
  }
  // The filters of all panels do not stay in the second cache: each panel of them has all of the image
  // before the next one.
  // CHECK-LABEL: @many_filters
  // CHECK:         weft.map [0, 0, 0] to [30, 40, 256] {{.*}}within_columns = 1
  // NOTE: decided {{.*}}all that panels of columns are for, before the next one", Why="their vectors, 2359296 bytes, are more than three quarters of the second cache (1048576)"
  func.func @many_filters(%x: tensor<32x42x256xf32>, %g: tensor<256x256x3x3xf32>) -> tensor<30x40x256xf32> {
    %y = weft.map [0, 0, 0] to [30, 40, 256] stores [affine_map<(i, j, k) -> (i, j, k)>] {
    ^bb0(%i: index, %j: index, %k: index):
      %sum = weft.reduce sum [0, 0, 0] to [3, 3, 256] {
      ^bb0(%r: index, %s: index, %c: index):
        %a = affine.apply affine_map<(i, r) -> (i + r)>(%i, %r)
        %b = affine.apply affine_map<(j, s) -> (j + s)>(%j, %s)
        %image = tensor.extract %x[%a, %b, %c] : tensor<32x42x256xf32>
        %filter = tensor.extract %g[%k, %c, %r, %s] : tensor<256x256x3x3xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<30x40x256xf32>
    return %y : tensor<30x40x256xf32>
  }
  // Panels of 3 vectors would take the fewest cycles, and do not divide 512 filters.
  // CHECK-LABEL: @divided
  // CHECK:         weft.map [0, 0, 0, 0] to [1, 16, 4608, 32]
  // CHECK:         weft.map [0, 0, 0] to [8, 8, 512] {{.*}}vectors = 2 : i64, within_columns = 1
  func.func @divided(%x: tensor<10x10x512xf32>, %g: tensor<512x512x3x3xf32>) -> tensor<8x8x512xf32> {
    %y = weft.map [0, 0, 0] to [8, 8, 512] stores [affine_map<(i, j, k) -> (i, j, k)>] {
    ^bb0(%i: index, %j: index, %k: index):
      %sum = weft.reduce sum [0, 0, 0] to [3, 3, 512] {
      ^bb0(%r: index, %s: index, %c: index):
        %a = affine.apply affine_map<(i, r) -> (i + r)>(%i, %r)
        %b = affine.apply affine_map<(j, s) -> (j + s)>(%j, %s)
        %image = tensor.extract %x[%a, %b, %c] : tensor<10x10x512xf32>
        %filter = tensor.extract %g[%k, %c, %r, %s] : tensor<512x512x3x3xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<8x8x512xf32>
    return %y : tensor<8x8x512xf32>
  }
}
