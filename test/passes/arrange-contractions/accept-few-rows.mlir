// A few rows read each vector of columns once: where it lies, none is packed. More rows have panels, and
// so have fixed columns, which are packed once for all calls.
// RUN: weft-opt %s --arrange-contractions --mlir-print-local-scope | FileCheck %s

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // CHECK-LABEL: @few
  // CHECK-NOT:     weft.map {{.*}} to [1,
  // CHECK:         weft.map [0, 0] to [4, 640] {{.*}}weft.contraction = {depth = 0
  // CHECK:           tensor.extract %arg1[%{{.*}}, %{{.*}}] : tensor<100x640xf32>
  func.func @few(%a: tensor<4x100xf32>, %b: tensor<100x640xf32>) -> tensor<4x640xf32> {
    %c = weft.map [0, 0] to [4, 640] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %sum = weft.reduce sum [0] to [100] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%i, %k] : tensor<4x100xf32>
        %y = tensor.extract %b[%k, %j] : tensor<100x640xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<4x640xf32>
    return %c : tensor<4x640xf32>
  }
  // CHECK-LABEL: @more
  // CHECK:         weft.map [0, 0, 0, 0] to [1, 100, {{[0-9]+}}, {{[0-9]+}}]
  // CHECK:         weft.map [0, 0, 0] to [1, 40, 640] {{.*}}weft.contraction
  func.func @more(%a: tensor<40x100xf32>, %b: tensor<100x640xf32>) -> tensor<40x640xf32> {
    %c = weft.map [0, 0] to [40, 640] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %sum = weft.reduce sum [0] to [100] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%i, %k] : tensor<40x100xf32>
        %y = tensor.extract %b[%k, %j] : tensor<100x640xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<40x640xf32>
    return %c : tensor<40x640xf32>
  }
  // CHECK-LABEL: @fixed
  // CHECK:         weft.map [0, 0, 0, 0] to [1, 100, {{[0-9]+}}, {{[0-9]+}}]
  // CHECK:         weft.map [0, 0, 0] to [1, 4, 640] {{.*}}weft.contraction
  func.func @fixed(%a: tensor<4x100xf32>, %b: tensor<100x640xf32> {weft.fixed}) -> tensor<4x640xf32> {
    %c = weft.map [0, 0] to [4, 640] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %sum = weft.reduce sum [0] to [100] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%i, %k] : tensor<4x100xf32>
        %y = tensor.extract %b[%k, %j] : tensor<100x640xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<4x640xf32>
    return %c : tensor<4x640xf32>
  }
}
