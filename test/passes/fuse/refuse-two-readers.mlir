// A value that is also returned is computed once, and read.
// RUN: weft-opt %s --fuse | FileCheck %s
// RUN: weft-opt %s --fuse --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: rejected {{.*}}What="a value of type tensor<8xf64> in one loop with a value of type tensor<8xf64>, which reads it", Why="it is read in other places too: 1"

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
