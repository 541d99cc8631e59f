// A tensor that only maps make and read is made in the order that the products want; the sums'
// readers follow.
// RUN: weft-opt %s --arrange-contractions --mlir-print-local-scope | FileCheck %s

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // CHECK-LABEL: @f
  // CHECK: weft.map [0, 0, 0] to [32, 8, 2] stores [affine_map<(d0, d1, d2) -> (d2, 0, d1, d0)>]
  // CHECK-SAME: {
  // CHECK: } : tensor<2x1x8x32xf32>
  // CHECK: weft.map [0, 0, 0] to [2, 16, 32] {{.*}}weft.contraction
  // CHECK: weft.map [0, 0, 0] to [32, 16, 2] stores
  // CHECK: tensor.extract %{{.*}} : tensor<2x16x32xf32>
  func.func @f(%w: tensor<32x8x2xf32>, %x: tensor<2x16x8xf32>) -> tensor<32x16x2xf32> {
    %u = weft.map [0, 0, 0] to [32, 8, 2] stores [affine_map<(k, c, i) -> (k, c, i)>] {
    ^bb0(%k: index, %c: index, %i: index):
      %e = tensor.extract %w[%k, %c, %i] : tensor<32x8x2xf32>
      %d = arith.addf %e, %e : f32
      weft.yield %d : f32
    } : tensor<32x8x2xf32>
    %p = weft.map [0, 0, 0] to [32, 16, 2] stores [affine_map<(k, t, i) -> (k, t, i)>] {
    ^bb0(%k: index, %t: index, %i: index):
      %sum = weft.reduce sum [0] to [8] {
      ^bb0(%c: index):
        %a = tensor.extract %u[%k, %c, %i] : tensor<32x8x2xf32>
        %b = tensor.extract %x[%i, %t, %c] : tensor<2x16x8xf32>
        %ab = arith.mulf %a, %b : f32
        weft.yield %ab : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<32x16x2xf32>
    %y = weft.map [0, 0, 0] to [32, 16, 2] stores [affine_map<(k, t, i) -> (k, t, i)>] {
    ^bb0(%k: index, %t: index, %i: index):
      %e = tensor.extract %p[%k, %t, %i] : tensor<32x16x2xf32>
      %d = arith.addf %e, %e : f32
      weft.yield %d : f32
    } : tensor<32x16x2xf32>
    return %y : tensor<32x16x2xf32>
  }
}
