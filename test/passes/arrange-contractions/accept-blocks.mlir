// A factor that a codelet makes and that is larger than the second cache, few rows to multiply it
// with: made a panel at a time, where it is used, from a transposed copy of its part of the input.
// Two batches; the second result is twice the first.
// RUN: weft-opt %s --arrange-contractions --mlir-print-local-scope | FileCheck %s
// RUN: weft-opt %s --arrange-contractions --canonicalize --lower-to-loops | FileCheck %s --check-prefix=LOOPS
// A larger first cache of more ways has as many sets:
// RUN: sed 's/l1d_bytes = 32768/l1d_bytes = 49152 : i64, l1d_ways = 12/' %s | weft-opt --arrange-contractions --mlir-print-local-scope | FileCheck %s

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 8192 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // CHECK-LABEL: @f
  // CHECK-NOT: weft.codelet
  // CHECK: weft.blocks [0] to [64] steps [16] places [affine_map<(d0, d1, d2, d3) -> (d1, d2, d0 + d3)>] attributes {weft.in_turn}
  // CHECK-NEXT: ^bb0(%[[FROM:.*]]: index):
  // The batches' 64 terms of 16 columns are 4096 bytes: with a 65th they lie in other sets of the cache.
  // CHECK: tensor.empty() : tensor<2x1x65x16xf32>
  // CHECK: %[[COPY:.*]] = weft.map [0, 0] to [64, 16] stores
  // CHECK:   %[[AT:.*]] = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%[[FROM]], %{{.*}})
  // CHECK:   tensor.extract %arg1[%[[AT]], %{{.*}}]
  // CHECK: } : tensor<64x16xf32>
  // CHECK: %[[PANEL:.*]] = weft.map [0, 0] to [64, 16] init({{.*}}) stores [affine_map<(d0, d1) -> (0, 0, d0, d1)>, affine_map<(d0, d1) -> (1, 0, d0, d1)>] attributes {weft.codelet}
  // CHECK:   tensor.extract %[[COPY]]
  // CHECK: } : tensor<2x1x65x16xf32>
  // CHECK: weft.map [0, 0, 0] to [2, 8, 16] {{.*}} attributes {weft.contraction =
  // CHECK:   tensor.extract %[[PANEL]]
  // CHECK: } : tensor<2x8x16xf32>
  // The blocks share the panel's memory: their loop is not one for several cores.
  // LOOPS-DAG: memref.alloc() {weft.in_turn} : memref<64x16xf32>
  // LOOPS-DAG: memref.alloc() {weft.in_turn} : memref<2x1x65x16xf32>
  // LOOPS: affine.for %[[BLOCK:.*]] = 0 to 64 step 16 {
  // LOOPS-NOT: memref.alloca
  // LOOPS: affine.store %{{.*}}, %arg2[%{{.*}}, %{{.*}} * 8, %[[BLOCK]] + %{{.*}}]
  // LOOPS: {{^ } {weft.in_turn}$}}
  // LOOPS-NEXT: return
  func.func @f(%a: tensor<2x8x64xf32>, %g: tensor<64x64xf32>) -> tensor<2x8x64xf32> {
    %u = weft.map [0, 0] to [64, 64] stores [affine_map<(c, k) -> (0, c, k)>, affine_map<(c, k) -> (1, c, k)>] attributes {weft.codelet} {
    ^bb0(%c: index, %k: index):
      %once = tensor.extract %g[%k, %c] : tensor<64x64xf32>
      %twice = arith.addf %once, %once : f32
      weft.yield %once, %twice : f32, f32
    } : tensor<2x64x64xf32>
    %p = weft.map [0, 0, 0] to [2, 8, 64] stores [affine_map<(b, i, k) -> (b, i, k)>] {
    ^bb0(%b: index, %i: index, %k: index):
      %sum = weft.reduce sum [0] to [64] {
      ^bb0(%c: index):
        %x = tensor.extract %a[%b, %i, %c] : tensor<2x8x64xf32>
        %y = tensor.extract %u[%b, %c, %k] : tensor<2x64x64xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<2x8x64xf32>
    return %p : tensor<2x8x64xf32>
  }
}
