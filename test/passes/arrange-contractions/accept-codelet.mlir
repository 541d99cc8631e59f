// A codelet's tensors are turned so that all its accesses are contiguous along one dimension;
// tiles that are only put together become the whole in that order, and one copy.
// RUN: weft-opt %s --arrange-contractions --mlir-print-local-scope | FileCheck %s

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // CHECK-LABEL: @f
  // CHECK: weft.map [0, 0] to [32, 5] stores [affine_map<(d0, d1) -> (d1 * 2, d0)>, affine_map<(d0, d1) -> (d1 * 2 + 1, d0)>]
  // CHECK: } : tensor<10x32xf32>
  // CHECK: weft.map [0, 0] to [32, 9] stores [affine_map<(d0, d1) -> (d0, d1)>] {
  // CHECK: tensor.extract %{{.*}}[%{{.*}}, %{{.*}}] : tensor<10x32xf32>
  func.func @f(%x: tensor<5x2x32xf32>) -> tensor<32x9xf32> {
    %t = weft.map [0, 0] to [32, 5] stores [affine_map<(k, a) -> (k, a, 0)>, affine_map<(k, a) -> (k, a, 1)>] attributes {weft.codelet} {
    ^bb0(%k: index, %a: index):
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %p = tensor.extract %x[%a, %c0, %k] : tensor<5x2x32xf32>
      %q = tensor.extract %x[%a, %c1, %k] : tensor<5x2x32xf32>
      %s = arith.addf %p, %q : f32
      %d = arith.subf %p, %q : f32
      weft.yield %s, %d : f32, f32
    } : tensor<32x5x2xf32>
    %empty = tensor.empty() : tensor<32x9xf32>
    %y = weft.map [0, 0, 0] to [32, 4, 2] init(%empty : tensor<32x9xf32>) stores [affine_map<(k, a, i) -> (k, a * 2 + i)>] {
    ^bb0(%k: index, %a: index, %i: index):
      %e = tensor.extract %t[%k, %a, %i] : tensor<32x5x2xf32>
      weft.yield %e : f32
    } : tensor<32x9xf32>
    %z = weft.map [0, 4, 0] to [32, 5, 1] init(%y : tensor<32x9xf32>) stores [affine_map<(k, a, i) -> (k, a * 2 + i)>] {
    ^bb0(%k: index, %a: index, %i: index):
      %e = tensor.extract %t[%k, %a, %i] : tensor<32x5x2xf32>
      weft.yield %e : f32
    } : tensor<32x9xf32>
    return %z : tensor<32x9xf32>
  }

  // What is done with each element of the whole is done as it is copied.
  // CHECK-LABEL: @worked
  // CHECK: } : tensor<10x32xf32>
  // CHECK: weft.map [0, 0] to [32, 9] stores [affine_map<(d0, d1) -> (d0, d1)>] {
  // CHECK-NEXT: ^bb0(%[[K:.*]]: index, %[[I:.*]]: index):
  // CHECK: tensor.extract %{{.*}}[%[[I]], %[[K]]] : tensor<10x32xf32>
  // CHECK: tensor.extract %{{.*}}[%[[K]]] : tensor<32xf32>
  // CHECK: arith.addf
  // CHECK-NOT: weft.map
  // CHECK: return
  func.func @worked(%x: tensor<5x2x32xf32>, %b: tensor<32xf32>) -> tensor<32x9xf32> {
    %t = weft.map [0, 0] to [32, 5] stores [affine_map<(k, a) -> (k, a, 0)>, affine_map<(k, a) -> (k, a, 1)>] attributes {weft.codelet} {
    ^bb0(%k: index, %a: index):
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %p = tensor.extract %x[%a, %c0, %k] : tensor<5x2x32xf32>
      %q = tensor.extract %x[%a, %c1, %k] : tensor<5x2x32xf32>
      %s = arith.addf %p, %q : f32
      %d = arith.subf %p, %q : f32
      weft.yield %s, %d : f32, f32
    } : tensor<32x5x2xf32>
    %empty = tensor.empty() : tensor<32x9xf32>
    %y = weft.map [0, 0, 0] to [32, 4, 2] init(%empty : tensor<32x9xf32>) stores [affine_map<(k, a, i) -> (k, a * 2 + i)>] {
    ^bb0(%k: index, %a: index, %i: index):
      %e = tensor.extract %t[%k, %a, %i] : tensor<32x5x2xf32>
      weft.yield %e : f32
    } : tensor<32x9xf32>
    %z = weft.map [0, 4, 0] to [32, 5, 1] init(%y : tensor<32x9xf32>) stores [affine_map<(k, a, i) -> (k, a * 2 + i)>] {
    ^bb0(%k: index, %a: index, %i: index):
      %e = tensor.extract %t[%k, %a, %i] : tensor<32x5x2xf32>
      weft.yield %e : f32
    } : tensor<32x9xf32>
    %w = weft.map [0, 0] to [32, 9] stores [affine_map<(k, i) -> (k, i)>] {
    ^bb0(%k: index, %i: index):
      %e = tensor.extract %z[%k, %i] : tensor<32x9xf32>
      %bias = tensor.extract %b[%k] : tensor<32xf32>
      %sum = arith.addf %e, %bias : f32
      weft.yield %sum : f32
    } : tensor<32x9xf32>
    return %w : tensor<32x9xf32>
  }

  // The same where tiles are put together in one map.
  // CHECK-LABEL: @whole
  // CHECK: } : tensor<10x32xf32>
  // CHECK: weft.map [0, 0] to [32, 10] stores [affine_map<(d0, d1) -> (d0, d1)>] {
  // CHECK-NEXT: ^bb0(%[[K:.*]]: index, %[[I:.*]]: index):
  // CHECK: tensor.extract %{{.*}}[%[[I]], %[[K]]] : tensor<10x32xf32>
  // CHECK: tensor.extract %{{.*}}[%[[K]]] : tensor<32xf32>
  // CHECK: arith.addf
  // CHECK: return
  func.func @whole(%x: tensor<5x2x32xf32>, %b: tensor<32xf32>) -> tensor<32x10xf32> {
    %t = weft.map [0, 0] to [32, 5] stores [affine_map<(k, a) -> (k, a, 0)>, affine_map<(k, a) -> (k, a, 1)>] attributes {weft.codelet} {
    ^bb0(%k: index, %a: index):
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %p = tensor.extract %x[%a, %c0, %k] : tensor<5x2x32xf32>
      %q = tensor.extract %x[%a, %c1, %k] : tensor<5x2x32xf32>
      %s = arith.addf %p, %q : f32
      %d = arith.subf %p, %q : f32
      weft.yield %s, %d : f32, f32
    } : tensor<32x5x2xf32>
    %y = weft.map [0, 0, 0] to [32, 5, 2] stores [affine_map<(k, a, i) -> (k, a * 2 + i)>] {
    ^bb0(%k: index, %a: index, %i: index):
      %e = tensor.extract %t[%k, %a, %i] : tensor<32x5x2xf32>
      %bias = tensor.extract %b[%k] : tensor<32xf32>
      %sum = arith.addf %e, %bias : f32
      weft.yield %sum : f32
    } : tensor<32x10xf32>
    return %y : tensor<32x10xf32>
  }
}
