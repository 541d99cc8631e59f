// 24 columns that lie side by side in the result, a vector and a half, are columns all the same; 20 are rows, as
// the other side fills its vectors better.
// RUN: weft-opt %s --arrange-contractions --remarks-filter=arrange-contractions --remark-policy=all 2>&1 >/dev/null | FileCheck %s

// CHECK: 196 rows by 24 columns in panels
// CHECK: 20 rows by 196 columns in panels
module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
func.func @filters(%a: tensor<196x24xf32>, %b: tensor<24x24xf32>) -> tensor<196x24xf32> {
  %y = weft.map [0, 0] to [196, 24] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %sum = weft.reduce sum [0] to [24] {
    ^bb0(%k: index):
      %l = tensor.extract %a[%i, %k] : tensor<196x24xf32>
      %r = tensor.extract %b[%k, %j] : tensor<24x24xf32>
      %p = arith.mulf %l, %r : f32
      weft.yield %p : f32
    } : f32
    weft.yield %sum : f32
  } : tensor<196x24xf32>
  return %y : tensor<196x24xf32>
}
func.func @narrow(%a: tensor<196x24xf32>, %b: tensor<24x20xf32>) -> tensor<196x20xf32> {
  %y = weft.map [0, 0] to [196, 20] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %sum = weft.reduce sum [0] to [24] {
    ^bb0(%k: index):
      %l = tensor.extract %a[%i, %k] : tensor<196x24xf32>
      %r = tensor.extract %b[%k, %j] : tensor<24x20xf32>
      %p = arith.mulf %l, %r : f32
      weft.yield %p : f32
    } : f32
    weft.yield %sum : f32
  } : tensor<196x20xf32>
  return %y : tensor<196x20xf32>
}
}
