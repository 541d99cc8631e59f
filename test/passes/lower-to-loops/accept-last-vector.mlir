// Columns that fill no whole vectors: the last vector begins earlier and overlaps the one before.
// RUN: weft-opt %s --lower-to-loops --mlir-print-local-scope | FileCheck %s

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // Two vectors of the 40 columns, then the 16 from the 24th on.
  // CHECK-LABEL: @windows
  // CHECK: affine.store %{{.*}}#0, %{{.*}}[%{{.*}}, %{{.*}} + %{{.*}} * 32 + %{{.*}} * 32] : memref<1x40xf32>
  // CHECK: affine.store %{{.*}}#1, %{{.*}}[%{{.*}}, %{{.*}} + %{{.*}} * 32 + %{{.*}} * 32 + 16] : memref<1x40xf32>
  // CHECK: affine.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}} + %{{.*}} * 16 + %{{.*}} * 16 + 24] : memref<1x40xf32>
  // CHECK-NOT: affine.store
  func.func @windows(%x: tensor<42xf32>, %g: tensor<1x3xf32>) -> tensor<1x40xf32> {
    %y = weft.map [0, 0] to [1, 40] stores [affine_map<(k, j) -> (k, j)>] attributes {weft.contraction = {depth = 0 : i64, panels = 1 : i64, rows = 1 : i64, vectors = 2 : i64}} {
    ^bb0(%k: index, %j: index):
      %sum = weft.reduce sum [0] to [3] {
      ^bb0(%s: index):
        %b = affine.apply affine_map<(j, s) -> (j + s)>(%j, %s)
        %image = tensor.extract %x[%b] : tensor<42xf32>
        %filter = tensor.extract %g[%k, %s] : tensor<1x3xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<1x40xf32>
    return %y : tensor<1x40xf32>
  }
  // 24 columns are less than a panel of two vectors: both are in one, the second from the 8th on.
  // CHECK-LABEL: @less_than_a_panel
  // CHECK: affine.load %{{.*}}[%{{.*}} + %{{.*}}] : memref<26xf32>
  // CHECK: affine.load %{{.*}}[%{{.*}} + %{{.*}} + 8] : memref<26xf32>
  // CHECK: affine.store %{{.*}}#0, %{{.*}}[%{{.*}}, %{{.*}}] : memref<1x24xf32>
  // CHECK: affine.store %{{.*}}#1, %{{.*}}[%{{.*}}, %{{.*}} + 8] : memref<1x24xf32>
  // CHECK-NOT: affine.store
  func.func @less_than_a_panel(%x: tensor<26xf32>, %g: tensor<1x3xf32>) -> tensor<1x24xf32> {
    %y = weft.map [0, 0] to [1, 24] stores [affine_map<(k, j) -> (k, j)>] attributes {weft.contraction = {depth = 0 : i64, panels = 1 : i64, rows = 1 : i64, vectors = 2 : i64}} {
    ^bb0(%k: index, %j: index):
      %sum = weft.reduce sum [0] to [3] {
      ^bb0(%s: index):
        %b = affine.apply affine_map<(j, s) -> (j + s)>(%j, %s)
        %image = tensor.extract %x[%b] : tensor<26xf32>
        %filter = tensor.extract %g[%k, %s] : tensor<1x3xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<1x24xf32>
    return %y : tensor<1x24xf32>
  }
}
