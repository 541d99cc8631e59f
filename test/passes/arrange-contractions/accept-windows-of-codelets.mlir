// Winograd's algorithm along rows: tiles that a codelet makes are read at windows of the other axis.
// The codelet makes each window by itself, and the sum becomes a batch of products; its terms keep
// their order. Where too few products use a tile, it stays.
// RUN: weft-opt %s --arrange-contractions --mlir-print-local-scope | FileCheck %s

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // CHECK-LABEL: @rows
  // CHECK:      %[[TILES:.*]] = weft.map [0, 0, 0, 0] to [32, 10, 3, 6]
  // CHECK-SAME: attributes {weft.codelet}
  // CHECK-NEXT: ^bb0(%[[C:.*]]: index, %[[I:.*]]: index, %[[R:.*]]: index, %[[A:.*]]: index):
  // CHECK:      affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%[[I]], %[[R]])
  // CHECK:      } : tensor<2x10x6x3x32xf32>
  // CHECK:      weft.reshape %[[TILES]] : tensor<2x10x6x3x32xf32> -> tensor<2x60x96xf32>
  // CHECK:      weft.contraction
  // CHECK:      weft.reduce sum [0] to [96]
  func.func @rows(%x: tensor<32x12x13xf32>, %u: tensor<2x16x3x32xf32>) -> tensor<16x10x6xf32> {
    %v = weft.map [0, 0, 0] to [32, 12, 6] stores [affine_map<(c, i, a) -> (c, i, a, 0)>, affine_map<(c, i, a) -> (c, i, a, 1)>] attributes {weft.codelet} {
    ^bb0(%c: index, %i: index, %a: index):
      %even = affine.apply affine_map<(a) -> (2 * a)>(%a)
      %odd = affine.apply affine_map<(a) -> (2 * a + 1)>(%a)
      %p = tensor.extract %x[%c, %i, %even] : tensor<32x12x13xf32>
      %q = tensor.extract %x[%c, %i, %odd] : tensor<32x12x13xf32>
      %s = arith.addf %p, %q : f32
      %d = arith.subf %p, %q : f32
      weft.yield %s, %d : f32, f32
    } : tensor<32x12x6x2xf32>
    %sums = weft.map [0, 0, 0, 0] to [16, 10, 6, 2] stores [affine_map<(k, i, a, j) -> (k, i, a, j)>] {
    ^bb0(%k: index, %i: index, %a: index, %j: index):
      %sum = weft.reduce sum [0, 0] to [3, 32] {
      ^bb0(%r: index, %c: index):
        %row = affine.apply affine_map<(i, r) -> (i + r)>(%i, %r)
        %f = tensor.extract %u[%j, %k, %r, %c] : tensor<2x16x3x32xf32>
        %t = tensor.extract %v[%c, %row, %a, %j] : tensor<32x12x6x2xf32>
        %m = arith.mulf %f, %t : f32
        weft.yield %m : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<16x10x6x2xf32>
    %y = weft.map [0, 0, 0] to [16, 10, 6] stores [affine_map<(k, i, a) -> (k, i, a)>] attributes {weft.codelet} {
    ^bb0(%k: index, %i: index, %a: index):
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %p = tensor.extract %sums[%k, %i, %a, %c0] : tensor<16x10x6x2xf32>
      %q = tensor.extract %sums[%k, %i, %a, %c1] : tensor<16x10x6x2xf32>
      %s = arith.addf %p, %q : f32
      weft.yield %s : f32
    } : tensor<16x10x6xf32>
    return %y : tensor<16x10x6xf32>
  }

  // Eight filters.
  // CHECK-LABEL: @few
  // CHECK:     weft.map [0, 0, 0] to [32, 12, 6]
  // CHECK-NOT: weft.contraction
  // CHECK:     return
  func.func @few(%x: tensor<32x12x13xf32>, %u: tensor<2x8x3x32xf32>) -> tensor<8x10x6x2xf32> {
    %v = weft.map [0, 0, 0] to [32, 12, 6] stores [affine_map<(c, i, a) -> (c, i, a, 0)>, affine_map<(c, i, a) -> (c, i, a, 1)>] attributes {weft.codelet} {
    ^bb0(%c: index, %i: index, %a: index):
      %even = affine.apply affine_map<(a) -> (2 * a)>(%a)
      %odd = affine.apply affine_map<(a) -> (2 * a + 1)>(%a)
      %p = tensor.extract %x[%c, %i, %even] : tensor<32x12x13xf32>
      %q = tensor.extract %x[%c, %i, %odd] : tensor<32x12x13xf32>
      %s = arith.addf %p, %q : f32
      %d = arith.subf %p, %q : f32
      weft.yield %s, %d : f32, f32
    } : tensor<32x12x6x2xf32>
    %sums = weft.map [0, 0, 0, 0] to [8, 10, 6, 2] stores [affine_map<(k, i, a, j) -> (k, i, a, j)>] {
    ^bb0(%k: index, %i: index, %a: index, %j: index):
      %sum = weft.reduce sum [0, 0] to [3, 32] {
      ^bb0(%r: index, %c: index):
        %row = affine.apply affine_map<(i, r) -> (i + r)>(%i, %r)
        %f = tensor.extract %u[%j, %k, %r, %c] : tensor<2x8x3x32xf32>
        %t = tensor.extract %v[%c, %row, %a, %j] : tensor<32x12x6x2xf32>
        %m = arith.mulf %f, %t : f32
        weft.yield %m : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<8x10x6x2xf32>
    return %sums : tensor<8x10x6x2xf32>
  }
}
