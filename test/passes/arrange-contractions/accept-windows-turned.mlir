// Results with filters side by side: an element of the image for each of a vector of filters, which are
// put side by side before, in the order of the terms. Not where that costs as much as it saves.
// RUN: weft-opt %s --arrange-contractions --mlir-print-local-scope | FileCheck %s
// RUN: weft-opt %s --arrange-contractions --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}columns of what its vectors are loaded from side by side", Why="each of its elements is used 16 times at least"

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // CHECK-LABEL: @channels_last
  // CHECK:         %[[TURNED:.*]] = weft.map
  // CHECK:         %[[G:.*]] = weft.reshape %[[TURNED]] : {{.*}} -> tensor<3x3x4x32xf32>
  // CHECK:         weft.map [0, 0, 0] to [30, 40, 32] {{.*}}weft.contraction
  // CHECK:         ^bb0(%[[I:.*]]: index, %[[J:.*]]: index, %[[K:.*]]: index):
  // CHECK:         ^bb0(%[[R:.*]]: index, %[[S:.*]]: index, %[[C:.*]]: index):
  // CHECK:           tensor.extract %[[G]][%[[R]], %[[S]], %[[C]], %[[K]]]
  func.func @channels_last(%x: tensor<32x42x4xf32>, %g: tensor<32x4x3x3xf32>) -> tensor<30x40x32xf32> {
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
}
