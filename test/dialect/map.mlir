// A map over a part of its result, the rest from init.
// RUN: weft-opt %s | weft-opt | FileCheck %s

// CHECK: weft.map [1] to [7] init(%{{.*}} : tensor<8xf64>) stores [#{{.*}}] into [0] {
// CHECK-NEXT: ^bb0(%{{.*}}: index):
func.func @f(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = weft.map [1] to [7] init(%x : tensor<8xf64>) stores [affine_map<(i) -> (i)>] into [0] {
  ^bb0(%i: index):
    %a = tensor.extract %x[%i] : tensor<8xf64>
    weft.yield %a : f64
  } : tensor<8xf64>
  return %y : tensor<8xf64>
}
