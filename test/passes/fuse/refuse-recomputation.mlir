// A stencil reads each element three times: its producer is not computed three times.
// RUN: weft-opt %s --fuse | FileCheck %s
// RUN: weft-opt %s --fuse --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: rejected {{.*}}What="a value of type tensor<8xf64> in one loop with a value of type tensor<6xf64>, which reads it", Why="it would be computed 18 times and has 8 elements"

// CHECK-LABEL: func.func @smooth
// CHECK-COUNT-2: weft.map
func.func @smooth(%x: tensor<8xf64>) -> tensor<6xf64> {
  %a = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %v = tensor.extract %x[%i] : tensor<8xf64>
    %w = math.exp %v : f64
    weft.yield %w : f64
  } : tensor<8xf64>
  %b = weft.map [0] to [6] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %j = affine.apply affine_map<(i) -> (i + 1)>(%i)
    %k = affine.apply affine_map<(i) -> (i + 2)>(%i)
    %v = tensor.extract %a[%i] : tensor<8xf64>
    %w = tensor.extract %a[%j] : tensor<8xf64>
    %z = tensor.extract %a[%k] : tensor<8xf64>
    %p = arith.addf %v, %w : f64
    %q = arith.addf %p, %z : f64
    weft.yield %q : f64
  } : tensor<6xf64>
  return %b : tensor<6xf64>
}
