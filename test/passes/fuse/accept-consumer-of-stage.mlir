// The elementwise map behind a stage of several stores is taken into each store.
// RUN: weft-opt %s --fuse | FileCheck %s
// RUN: weft-opt %s --fuse --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}What="a value of type tensor<8xf64> goes into the stores of a value of type tensor<8xf64>", Why="it reworks each element on its own, and alone reads them"

// CHECK-LABEL: func.func @scaled_halves
// CHECK:         weft.map [0] to [4] stores [#{{.*}}, #{{.*}}] attributes {weft.lines = 0 : i64}
// CHECK-COUNT-2:   arith.mulf
// CHECK-NOT:     weft.map
func.func @scaled_halves(%x: tensor<8xf64>, %s: tensor<8xf64>) -> tensor<8xf64> {
  %a = weft.map [0] to [4] stores [affine_map<(i) -> (i)>, affine_map<(i) -> (i + 4)>] attributes {weft.lines = 0 : i64} {
  ^bb0(%i: index):
    %j = affine.apply affine_map<(i) -> (i + 4)>(%i)
    %v = tensor.extract %x[%i] : tensor<8xf64>
    %w = tensor.extract %x[%j] : tensor<8xf64>
    %p = arith.addf %v, %w : f64
    %m = arith.subf %v, %w : f64
    weft.yield %p, %m : f64, f64
  } : tensor<8xf64>
  %b = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %v = tensor.extract %a[%i] : tensor<8xf64>
    %w = tensor.extract %s[%i] : tensor<8xf64>
    %q = arith.mulf %v, %w : f64
    weft.yield %q : f64
  } : tensor<8xf64>
  return %b : tensor<8xf64>
}
