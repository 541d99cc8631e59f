// An elementwise map is evaluated where its one reader reads it.
// RUN: weft-opt %s --fuse | FileCheck %s
// RUN: weft-opt %s --fuse --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}What="a value of type tensor<8xf64> is computed where a value of type tensor<8xf64> reads it", Why="each of its elements is read at most once"

// CHECK-LABEL: func.func @twice_plus_one
// CHECK-COUNT-1: weft.map
// CHECK:           %[[X:.*]] = tensor.extract %arg0
// CHECK:           %[[TWICE:.*]] = arith.addf %[[X]], %[[X]]
// CHECK:           arith.mulf %[[TWICE]], %[[TWICE]]
// CHECK-NOT:     weft.map
func.func @twice_plus_one(%x: tensor<8xf64>) -> tensor<8xf64> {
  %a = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %v = tensor.extract %x[%i] : tensor<8xf64>
    %w = arith.addf %v, %v : f64
    weft.yield %w : f64
  } : tensor<8xf64>
  %b = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %v = tensor.extract %a[%i] : tensor<8xf64>
    %w = arith.mulf %v, %v : f64
    weft.yield %w : f64
  } : tensor<8xf64>
  return %b : tensor<8xf64>
}
