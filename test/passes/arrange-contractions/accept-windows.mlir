// Sums over windows: filters are the rows of panels, a row of the image their columns, read where
// it lies. What follows a sum is done before it is stored, where all of it is arithmetic on elements;
// else it reads the sums.
// RUN: weft-opt %s --arrange-contractions --mlir-print-local-scope | FileCheck %s
// RUN: weft-opt %s --arrange-contractions --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}windows of 36 terms in panels of 8 rows by 3 vectors of 16

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // CHECK-LABEL: @filters
  // CHECK:         %[[SUMS:.*]] = weft.map [0, 0, 0] to [30, 8, 40] stores [affine_map<(d0, d1, d2) -> (d1, d0, d2)>] attributes {weft.contraction = {depth = 0 : i64, panels = 1 : i64, rows = 8 : i64, rows_first, vectors = 3 : i64}} {
  // CHECK:         ^bb0(%[[I:.*]]: index, %[[K:.*]]: index, %[[J:.*]]: index):
  // CHECK:           weft.reduce sum [0, 0, 0] to [4, 3, 3]
  // CHECK:             tensor.extract %{{.*}}[%[[K]], %{{.*}}, %{{.*}}, %{{.*}}] : tensor<8x4x3x3xf32>
  // CHECK:           arith.maximumf
  // CHECK:         } : tensor<8x30x40xf32>
  // CHECK-NEXT:    return %[[SUMS]]
  func.func @filters(%x: tensor<4x32x42xf32>, %g: tensor<8x4x3x3xf32>) -> tensor<8x30x40xf32> {
    %zero = arith.constant 0.0 : f32
    %y = weft.map [0, 0, 0] to [8, 30, 40] stores [affine_map<(k, i, j) -> (k, i, j)>] {
    ^bb0(%k: index, %i: index, %j: index):
      %sum = weft.reduce sum [0, 0, 0] to [4, 3, 3] {
      ^bb0(%c: index, %r: index, %s: index):
        %a = affine.apply affine_map<(i, r) -> (i + r)>(%i, %r)
        %b = affine.apply affine_map<(j, s) -> (j + s)>(%j, %s)
        %image = tensor.extract %x[%c, %a, %b] : tensor<4x32x42xf32>
        %filter = tensor.extract %g[%k, %c, %r, %s] : tensor<8x4x3x3xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      %most = arith.maximumf %sum, %zero : f32
      weft.yield %most : f32
    } : tensor<8x30x40xf32>
    return %y : tensor<8x30x40xf32>
  }
  // The number of a column is no element.
  // CHECK-LABEL: @numbered
  // CHECK:         %[[SUMS:.*]] = weft.map [0, 0, 0] to [30, 8, 40]
  // CHECK:         } : tensor<8x30x40xf32>
  // CHECK:         weft.map [0, 0, 0] to [8, 30, 40]
  // CHECK:           tensor.extract %[[SUMS]][
  // CHECK:           arith.sitofp
  func.func @numbered(%x: tensor<4x32x42xf32>, %g: tensor<8x4x3x3xf32>) -> tensor<8x30x40xf32> {
    %y = weft.map [0, 0, 0] to [8, 30, 40] stores [affine_map<(k, i, j) -> (k, i, j)>] {
    ^bb0(%k: index, %i: index, %j: index):
      %sum = weft.reduce sum [0, 0, 0] to [4, 3, 3] {
      ^bb0(%c: index, %r: index, %s: index):
        %a = affine.apply affine_map<(i, r) -> (i + r)>(%i, %r)
        %b = affine.apply affine_map<(j, s) -> (j + s)>(%j, %s)
        %image = tensor.extract %x[%c, %a, %b] : tensor<4x32x42xf32>
        %filter = tensor.extract %g[%k, %c, %r, %s] : tensor<8x4x3x3xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      %column = arith.index_cast %j : index to i32
      %number = arith.sitofp %column : i32 to f32
      %most = arith.addf %sum, %number : f32
      weft.yield %most : f32
    } : tensor<8x30x40xf32>
    return %y : tensor<8x30x40xf32>
  }
}
