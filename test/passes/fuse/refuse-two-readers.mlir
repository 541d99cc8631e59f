// A value that is also returned is computed once, and read.
// RUN: weft-opt %s --fuse | FileCheck %s

// CHECK-LABEL: func.func @both
// CHECK-COUNT-2: weft.map
func.func @both(%x: tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>) {
  %a = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %v = tensor.extract %x[%i] : tensor<8xf64>
    %w = arith.negf %v : f64
    weft.yield %w : f64
  } : tensor<8xf64>
  %b = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %v = tensor.extract %a[%i] : tensor<8xf64>
    %w = arith.addf %v, %v : f64
    weft.yield %w : f64
  } : tensor<8xf64>
  return %a, %b : tensor<8xf64>, tensor<8xf64>
}
