// Sums of another form, or with too few rows or too little work, stay as they are.
// RUN: weft-opt %s --arrange-contractions --mlir-print-local-scope | FileCheck %s
// RUN: weft-opt %s --arrange-contractions --mlir-print-local-scope --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: rejected {{.*}}What="a value of type tensor<512xf32>: its sums of products in panels", Why="one factor has no index of its own: each of its elements is used once a sum"
// NOTE: rejected {{.*}}What="a value of type tensor<8x16xf32>: its sums of products in panels", Why="1024 products; 8192 pay for packing"

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // CHECK-NOT: weft.contraction
  // CHECK-LABEL: @one_row
  func.func @one_row(%a: tensor<512xf32>, %b: tensor<512x512xf32>) -> tensor<512xf32> {
    %c = weft.map [0] to [512] stores [affine_map<(j) -> (j)>] {
    ^bb0(%j: index):
      %sum = weft.reduce sum [0] to [512] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%k] : tensor<512xf32>
        %y = tensor.extract %b[%k, %j] : tensor<512x512xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<512xf32>
    return %c : tensor<512xf32>
  }
  // CHECK-LABEL: @little_work
  func.func @little_work(%a: tensor<8x8xf32>, %b: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %c = weft.map [0, 0] to [8, 16] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %sum = weft.reduce sum [0] to [8] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%i, %k] : tensor<8x8xf32>
        %y = tensor.extract %b[%k, %j] : tensor<8x16xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<8x16xf32>
    return %c : tensor<8x16xf32>
  }
  // CHECK-LABEL: @maximum
  func.func @maximum(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %c = weft.map [0, 0] to [64, 64] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %most = weft.reduce max [0] to [64] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%i, %k] : tensor<64x64xf32>
        %y = tensor.extract %b[%k, %j] : tensor<64x64xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %most : f32
    } : tensor<64x64xf32>
    return %c : tensor<64x64xf32>
  }
  // CHECK-LABEL: @not_a_product
  func.func @not_a_product(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %c = weft.map [0, 0] to [64, 64] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %sum = weft.reduce sum [0] to [64] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%i, %k] : tensor<64x64xf32>
        %y = tensor.extract %b[%k, %j] : tensor<64x64xf32>
        %xy = arith.subf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<64x64xf32>
    return %c : tensor<64x64xf32>
  }
}
