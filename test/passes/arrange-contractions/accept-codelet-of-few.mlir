// A codelet whose longest dimension is a part of a vector is turned along it where vectors may be
// masked.
// RUN: weft-opt %s --arrange-contractions --mlir-print-local-scope | FileCheck %s
// RUN: sed 's/masked_lanes = true, //' %s | weft-opt --arrange-contractions --mlir-print-local-scope | FileCheck %s --check-prefix=WHOLE

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, masked_lanes = true, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // CHECK-LABEL: @f
  // CHECK: weft.map [0, 0] to [12, 5] stores [affine_map<(d0, d1) -> (d1 * 2, d0)>, affine_map<(d0, d1) -> (d1 * 2 + 1, d0)>]
  // CHECK: } : tensor<10x12xf32>
  // CHECK: weft.map [0, 0] to [12, 9] stores [affine_map<(d0, d1) -> (d0, d1)>] {
  // CHECK: tensor.extract %{{.*}}[%{{.*}}, %{{.*}}] : tensor<10x12xf32>
  // WHOLE: weft.map [0, 0] to [12, 5] stores [affine_map<(d0, d1) -> (d0, d1, 0)>, affine_map<(d0, d1) -> (d0, d1, 1)>]
  func.func @f(%x: tensor<5x2x12xf32>) -> tensor<12x9xf32> {
    %t = weft.map [0, 0] to [12, 5] stores [affine_map<(k, a) -> (k, a, 0)>, affine_map<(k, a) -> (k, a, 1)>] attributes {weft.codelet} {
    ^bb0(%k: index, %a: index):
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %p = tensor.extract %x[%a, %c0, %k] : tensor<5x2x12xf32>
      %q = tensor.extract %x[%a, %c1, %k] : tensor<5x2x12xf32>
      %s = arith.addf %p, %q : f32
      %d = arith.subf %p, %q : f32
      weft.yield %s, %d : f32, f32
    } : tensor<12x5x2xf32>
    %empty = tensor.empty() : tensor<12x9xf32>
    %y = weft.map [0, 0, 0] to [12, 4, 2] init(%empty : tensor<12x9xf32>) stores [affine_map<(k, a, i) -> (k, a * 2 + i)>] {
    ^bb0(%k: index, %a: index, %i: index):
      %e = tensor.extract %t[%k, %a, %i] : tensor<12x5x2xf32>
      weft.yield %e : f32
    } : tensor<12x9xf32>
    %z = weft.map [0, 4, 0] to [12, 5, 1] init(%y : tensor<12x9xf32>) stores [affine_map<(k, a, i) -> (k, a * 2 + i)>] {
    ^bb0(%k: index, %a: index, %i: index):
      %e = tensor.extract %t[%k, %a, %i] : tensor<12x5x2xf32>
      weft.yield %e : f32
    } : tensor<12x9xf32>
    return %z : tensor<12x9xf32>
  }
}
