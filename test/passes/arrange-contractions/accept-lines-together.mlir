// Short lines of pixels, and vectors of filters that the first cache does not hold: registers have sums
// of several lines, and the vectors are read once for all of them. Fixed filters lie in the order of the
// terms then, others as they were.
// RUN: weft-opt %s --arrange-contractions --mlir-print-local-scope | FileCheck %s
// RUN: weft-opt %s --arrange-contractions --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}'y': 2 lines of 7 rows together", Why="the vectors that they are multiplied with, 147456 bytes, are read once for all"
// NOTE-NOT: lines of

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // CHECK-LABEL: @lines
  // CHECK:         %[[LINES:.*]] = weft.reshape %{{.*}} : tensor<32x8x16x3x3xf32> -> tensor<1x32x8x16x3x3xf32>
  // CHECK:         %[[G:.*]] = weft.map [0, 0, 0, 0, 0, 0, 0] to [1, 1, 8, 3, 3, 16, 32]
  // CHECK:         ^bb0({{.*}}, %[[B:.*]]: index, %[[R:.*]]: index, %[[S:.*]]: index, %[[C:.*]]: index, %[[K:.*]]: index):
  // CHECK:           tensor.extract %[[LINES]][%{{.*}}, %{{.*}}, %[[B]], %[[C]], %[[R]], %[[S]]]
  // CHECK:         weft.map [0, 0, 0, 0] to [1, 1, 49, 32] {{.*}}stores [affine_map<(d0, d1, d2, d3) -> (d0 * 2 + d3 floordiv 16, d2 floordiv 7, d2 mod 7, d3 mod 16)>] {{.*}}rows = 14 {{.*}}vectors = 2
  // CHECK:         weft.reduce
  // CHECK-NEXT:    ^bb0(%[[B:.*]]: index, %[[R:.*]]: index, %[[S:.*]]: index, %[[C:.*]]: index):
  // CHECK:           tensor.extract %[[G]][%{{.*}}, %{{.*}}, %[[B]], %[[R]], %[[S]], %[[C]], %{{.*}}]
  func.func @lines(%x: tensor<8x15x15x16xf32>, %g: tensor<32x8x16x3x3xf32> {weft.fixed}) -> (tensor<2x7x7x16xf32> {weft.name = "y"}) {
    %y = weft.map [0, 0, 0, 0] to [2, 7, 7, 16] stores [affine_map<(b, i, j, k) -> (b, i, j, k)>] {
    ^bb0(%b: index, %i: index, %j: index, %k: index):
      %sum = weft.reduce sum [0, 0, 0, 0] to [8, 3, 3, 16] {
      ^bb0(%d: index, %r: index, %s: index, %c: index):
        %f = affine.apply affine_map<(b, k) -> (b * 16 + k)>(%b, %k)
        %p = affine.apply affine_map<(i, r) -> (i * 2 + r)>(%i, %r)
        %q = affine.apply affine_map<(j, s) -> (j * 2 + s)>(%j, %s)
        %image = tensor.extract %x[%d, %p, %q, %c] : tensor<8x15x15x16xf32>
        %filter = tensor.extract %g[%f, %d, %c, %r, %s] : tensor<32x8x16x3x3xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<2x7x7x16xf32> loc("y")
    return %y : tensor<2x7x7x16xf32>
  }
  // The first cache holds these.
  // CHECK-LABEL: @few_terms
  // CHECK:         weft.map [0, 0, 0, 0] to [1, 1, 144, 32]
  // CHECK:         weft.map [0, 0, 0, 0] to [1, 7, 7, 32] {{.*}}rows = 7
  func.func @few_terms(%x: tensor<15x15x16xf32>, %g: tensor<32x16x3x3xf32>) -> tensor<2x7x7x16xf32> {
    %y = weft.map [0, 0, 0, 0] to [2, 7, 7, 16] stores [affine_map<(b, i, j, k) -> (b, i, j, k)>] {
    ^bb0(%b: index, %i: index, %j: index, %k: index):
      %sum = weft.reduce sum [0, 0, 0] to [3, 3, 16] {
      ^bb0(%r: index, %s: index, %c: index):
        %f = affine.apply affine_map<(b, k) -> (b * 16 + k)>(%b, %k)
        %p = affine.apply affine_map<(i, r) -> (i * 2 + r)>(%i, %r)
        %q = affine.apply affine_map<(j, s) -> (j * 2 + s)>(%j, %s)
        %image = tensor.extract %x[%p, %q, %c] : tensor<15x15x16xf32>
        %filter = tensor.extract %g[%f, %c, %r, %s] : tensor<32x16x3x3xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<2x7x7x16xf32>
    return %y : tensor<2x7x7x16xf32>
  }
  // Lines of 14 rows fill the registers.
  // CHECK-LABEL: @long_lines
  // CHECK:         weft.map [0, 0, 0, 0] to [1, 14, 14, 32] {{.*}}rows = 14
  func.func @long_lines(%x: tensor<8x29x29x16xf32>, %g: tensor<32x8x16x3x3xf32>) -> tensor<2x14x14x16xf32> {
    %y = weft.map [0, 0, 0, 0] to [2, 14, 14, 16] stores [affine_map<(b, i, j, k) -> (b, i, j, k)>] {
    ^bb0(%b: index, %i: index, %j: index, %k: index):
      %sum = weft.reduce sum [0, 0, 0, 0] to [8, 3, 3, 16] {
      ^bb0(%d: index, %r: index, %s: index, %c: index):
        %f = affine.apply affine_map<(b, k) -> (b * 16 + k)>(%b, %k)
        %p = affine.apply affine_map<(i, r) -> (i * 2 + r)>(%i, %r)
        %q = affine.apply affine_map<(j, s) -> (j * 2 + s)>(%j, %s)
        %image = tensor.extract %x[%d, %p, %q, %c] : tensor<8x29x29x16xf32>
        %filter = tensor.extract %g[%f, %d, %c, %r, %s] : tensor<32x8x16x3x3xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<2x14x14x16xf32>
    return %y : tensor<2x14x14x16xf32>
  }
}
