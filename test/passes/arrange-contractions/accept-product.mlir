// A matrix product: the columns' factor in a panel of whole vectors, the last one filled up with zeros. Where the panel is
// all there is, the result is not: its last vector begins earlier.
// RUN: weft-opt %s --arrange-contractions --mlir-print-local-scope | FileCheck %s
// RUN: weft-opt %s --arrange-contractions --mlir-print-local-scope --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}What="a value of type tensor<64x40xf32>: 64 rows by 40 columns in panels of 8 rows by 3 vectors of 16", Why="the fewest cycles by count of products and loads that 32 registers allow; 64 of 64 terms before a panel is stored, for the first cache (32768 bytes)"

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // CHECK-LABEL: @f
  // CHECK: tensor.empty() : tensor<1x1x64x48xf32>
  // CHECK: weft.map [0, 0, 0] to [1, 64, 8] init
  // CHECK: arith.constant 0.000000e+00
  // CHECK: weft.map [0, 0, 0] to [1, 64, 40] init
  // CHECK: weft.map [0, 0, 0] to [1, 64, 40] {{.*}} attributes {weft.contraction = {depth = 64 : i64, panels = 1 : i64, rows = {{[0-9]+}} : i64, vectors = 3 : i64}}
  // CHECK: weft.reduce sum [0] to [64]
  // CHECK-NOT: weft.map
  // CHECK: return
  func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x40xf32>) -> tensor<64x40xf32> {
    %c = weft.map [0, 0] to [64, 40] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %sum = weft.reduce sum [0] to [64] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%i, %k] : tensor<64x64xf32>
        %y = tensor.extract %b[%k, %j] : tensor<64x40xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<64x40xf32>
    return %c : tensor<64x40xf32>
  }
  // Columns that no cache keeps arrive while the first panel of rows is multiplied: that has many rows.
  // CHECK-LABEL: @passing
  // CHECK: weft.map [0, 0, 0] to [1, 16, 2048] {{.*}} attributes {weft.contraction = {depth = 512 : i64, panels = 8 : i64, rows = 12 : i64, vectors = 2 : i64}}
  // The same rows and terms, few columns: they stay.
  // CHECK-LABEL: @staying
  // CHECK: weft.map [0, 0, 0] to [1, 16, 64] {{.*}} attributes {weft.contraction = {depth = 512 : i64, panels = 1 : i64, rows = 6 : i64, vectors = 4 : i64}}
  func.func @passing(%a: tensor<16x512xf32>, %b: tensor<512x2048xf32>) -> tensor<16x2048xf32> {
    %c = weft.map [0, 0] to [16, 2048] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %sum = weft.reduce sum [0] to [512] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%i, %k] : tensor<16x512xf32>
        %y = tensor.extract %b[%k, %j] : tensor<512x2048xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<16x2048xf32>
    return %c : tensor<16x2048xf32>
  }
  func.func @staying(%a: tensor<16x512xf32>, %b: tensor<512x64xf32>) -> tensor<16x64xf32> {
    %c = weft.map [0, 0] to [16, 64] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %sum = weft.reduce sum [0] to [512] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%i, %k] : tensor<16x512xf32>
        %y = tensor.extract %b[%k, %j] : tensor<512x64xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<16x64xf32>
    return %c : tensor<16x64xf32>
  }
}
