// What is read along one index and stored along another goes by squares, also where it is computed
// with on the way; not where two tensors would have to be turned.
// RUN: cat %target_avx512 %s | weft-opt - --lower-to-loops | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: @biased
// CHECK:       affine.for %[[K:.*]] = 0 to 32 {
// CHECK:         affine.for %[[J:.*]] = 0 to 40 {
// CHECK:           affine.load %{{.*}}[%[[J]], %[[K]]]
// CHECK:         } {weft.independent, weft.lane}
// CHECK:       } {weft.independent, weft.transpose}
func.func @biased(%t: tensor<40x32xf32>, %b: tensor<32xf32>) -> tensor<32x40xf32> {
  %y = weft.map [0, 0] to [32, 40] stores [affine_map<(k, j) -> (k, j)>] {
  ^bb0(%k: index, %j: index):
    %x = tensor.extract %t[%j, %k] : tensor<40x32xf32>
    %bias = tensor.extract %b[%k] : tensor<32xf32>
    %sum = arith.addf %x, %bias : f32
    weft.yield %sum : f32
  } : tensor<32x40xf32>
  return %y : tensor<32x40xf32>
}
// CHECK-LABEL: @two
// CHECK-NOT:   weft.transpose
// CHECK:       return
func.func @two(%t: tensor<40x32xf32>, %u: tensor<40x32xf32>) -> tensor<32x40xf32> {
  %y = weft.map [0, 0] to [32, 40] stores [affine_map<(k, j) -> (k, j)>] {
  ^bb0(%k: index, %j: index):
    %x = tensor.extract %t[%j, %k] : tensor<40x32xf32>
    %z = tensor.extract %u[%j, %k] : tensor<40x32xf32>
    %sum = arith.addf %x, %z : f32
    weft.yield %sum : f32
  } : tensor<32x40xf32>
  return %y : tensor<32x40xf32>
}
}
