// Results that have a few filters side by side, no vector of them: the sums lie apart, pixels of a row
// side by side, and go to the result from there. Not where there are so few terms that it costs as much.
// RUN: weft-opt %s --arrange-contractions --mlir-print-local-scope | FileCheck %s
// RUN: weft-opt %s --arrange-contractions --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}its sums lie apart, with the columns of its vectors last", Why="as the result lies, what is side by side fills no vector of 16"

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // CHECK-LABEL: @few_filters
  // CHECK:         %[[SUMS:.*]] = weft.map [0, 0, 0] to [30, 8, 40] stores [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] {{.*}}weft.contraction
  // CHECK:         weft.map [0, 0, 0] to [30, 40, 8]
  // CHECK-NEXT:    ^bb0(%[[I:.*]]: index, %[[J:.*]]: index, %[[K:.*]]: index):
  // CHECK-NEXT:      %[[SUM:.*]] = tensor.extract %[[SUMS]][%[[I]], %[[K]], %[[J]]]
  // CHECK:           arith.addf %[[SUM]]
  func.func @few_filters(%x: tensor<4x32x42xf32>, %g: tensor<8x4x3x3xf32>, %b: tensor<8xf32>) -> tensor<30x40x8xf32> {
    %y = weft.map [0, 0, 0] to [30, 40, 8] stores [affine_map<(i, j, k) -> (i, j, k)>] {
    ^bb0(%i: index, %j: index, %k: index):
      %sum = weft.reduce sum [0, 0, 0] to [4, 3, 3] {
      ^bb0(%c: index, %r: index, %s: index):
        %p = affine.apply affine_map<(i, r) -> (i + r)>(%i, %r)
        %q = affine.apply affine_map<(j, s) -> (j + s)>(%j, %s)
        %image = tensor.extract %x[%c, %p, %q] : tensor<4x32x42xf32>
        %filter = tensor.extract %g[%k, %c, %r, %s] : tensor<8x4x3x3xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      %bias = tensor.extract %b[%k] : tensor<8xf32>
      %more = arith.addf %sum, %bias : f32
      weft.yield %more : f32
    } : tensor<30x40x8xf32>
    return %y : tensor<30x40x8xf32>
  }
  // CHECK-LABEL: @few_terms
  // CHECK-NOT:     weft.contraction
  // CHECK:         return
  func.func @few_terms(%x: tensor<30x42xf32>, %g: tensor<8x3xf32>) -> tensor<30x40x8xf32> {
    %y = weft.map [0, 0, 0] to [30, 40, 8] stores [affine_map<(i, j, k) -> (i, j, k)>] {
    ^bb0(%i: index, %j: index, %k: index):
      %sum = weft.reduce sum [0] to [3] {
      ^bb0(%s: index):
        %q = affine.apply affine_map<(j, s) -> (j + s)>(%j, %s)
        %image = tensor.extract %x[%i, %q] : tensor<30x42xf32>
        %filter = tensor.extract %g[%k, %s] : tensor<8x3xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<30x40x8xf32>
    return %y : tensor<30x40x8xf32>
  }
}
