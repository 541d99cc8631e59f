// Few filters and short rows pay no panels; columns that lie apart, or that both factors have, are
// no rows of an image.
// RUN: weft-opt %s --arrange-contractions --mlir-print-local-scope | FileCheck %s
// RUN: weft-opt %s --arrange-contractions --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: rejected {{.*}}What="a value of type tensor<1x9000xf32>: its sums over windows in panels", Why="1 rows; 2 pay, or 48 terms of several indices"
// NOTE: rejected {{.*}}What="a value of type tensor<900x12xf32>: its sums over windows in panels", Why="12 columns do not fill 16 lanes"
// NOTE: rejected {{.*}}What="a value of type tensor<8x200xf32>: its sums over windows in panels", Why="4800 products; 8192 pay"

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // CHECK-NOT: weft.contraction
  // CHECK-LABEL: @one_row
  func.func @one_row(%x: tensor<9002xf32>, %g: tensor<1x3xf32>) -> tensor<1x9000xf32> {
    %y = weft.map [0, 0] to [1, 9000] stores [affine_map<(k, j) -> (k, j)>] {
    ^bb0(%k: index, %j: index):
      %sum = weft.reduce sum [0] to [3] {
      ^bb0(%s: index):
        %b = affine.apply affine_map<(j, s) -> (j + s)>(%j, %s)
        %image = tensor.extract %x[%b] : tensor<9002xf32>
        %filter = tensor.extract %g[%k, %s] : tensor<1x3xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<1x9000xf32>
    return %y : tensor<1x9000xf32>
  }
  // CHECK-LABEL: @short
  func.func @short(%x: tensor<14xf32>, %g: tensor<900x3xf32>) -> tensor<900x12xf32> {
    %y = weft.map [0, 0] to [900, 12] stores [affine_map<(k, j) -> (k, j)>] {
    ^bb0(%k: index, %j: index):
      %sum = weft.reduce sum [0] to [3] {
      ^bb0(%s: index):
        %b = affine.apply affine_map<(j, s) -> (j + s)>(%j, %s)
        %image = tensor.extract %x[%b] : tensor<14xf32>
        %filter = tensor.extract %g[%k, %s] : tensor<900x3xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<900x12xf32>
    return %y : tensor<900x12xf32>
  }
  // CHECK-LABEL: @little_work
  func.func @little_work(%x: tensor<202xf32>, %g: tensor<8x3xf32>) -> tensor<8x200xf32> {
    %y = weft.map [0, 0] to [8, 200] stores [affine_map<(k, j) -> (k, j)>] {
    ^bb0(%k: index, %j: index):
      %sum = weft.reduce sum [0] to [3] {
      ^bb0(%s: index):
        %b = affine.apply affine_map<(j, s) -> (j + s)>(%j, %s)
        %image = tensor.extract %x[%b] : tensor<202xf32>
        %filter = tensor.extract %g[%k, %s] : tensor<8x3xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<8x200xf32>
    return %y : tensor<8x200xf32>
  }
  // CHECK-LABEL: @apart
  func.func @apart(%x: tensor<1802xf32>, %g: tensor<64x3xf32>) -> tensor<64x900xf32> {
    %y = weft.map [0, 0] to [64, 900] stores [affine_map<(k, j) -> (k, j)>] {
    ^bb0(%k: index, %j: index):
      %sum = weft.reduce sum [0] to [3] {
      ^bb0(%s: index):
        %b = affine.apply affine_map<(j, s) -> (2 * j + s)>(%j, %s)
        %image = tensor.extract %x[%b] : tensor<1802xf32>
        %filter = tensor.extract %g[%k, %s] : tensor<64x3xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<64x900xf32>
    return %y : tensor<64x900xf32>
  }
  // CHECK-LABEL: @filter_of_each_column
  func.func @filter_of_each_column(%x: tensor<902xf32>, %g: tensor<64x900x3xf32>) -> tensor<64x900xf32> {
    %y = weft.map [0, 0] to [64, 900] stores [affine_map<(k, j) -> (k, j)>] {
    ^bb0(%k: index, %j: index):
      %sum = weft.reduce sum [0] to [3] {
      ^bb0(%s: index):
        %b = affine.apply affine_map<(j, s) -> (j + s)>(%j, %s)
        %image = tensor.extract %x[%b] : tensor<902xf32>
        %filter = tensor.extract %g[%k, %j, %s] : tensor<64x900x3xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<64x900xf32>
    return %y : tensor<64x900xf32>
  }
}
