// Two blocks of four elements.
// RUN: weft-opt %s | weft-opt | FileCheck %s

// CHECK: weft.blocks [0] to [8] steps [4] places [#{{.*}}] {
// CHECK: weft.yield %{{.*}} : tensor<4xf64>
func.func @f(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = weft.blocks [0] to [8] steps [4] places [affine_map<(b, i) -> (b + i)>] {
  ^bb0(%b: index):
    %t = weft.map [0] to [4] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %a = tensor.extract %x[%i] : tensor<8xf64>
      weft.yield %a : f64
    } : tensor<4xf64>
    weft.yield %t : tensor<4xf64>
  } : tensor<8xf64>
  return %y : tensor<8xf64>
}
