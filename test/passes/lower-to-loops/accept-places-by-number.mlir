// RUN: cat %target_avx512 %s | weft-opt - --canonicalize --lower-to-loops | FileCheck %s
// Elements whose places are numbers are the map's own, too: it works where what it reads lies, and so does
// what comes before it.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @pairs
// CHECK-NOT:     memref.alloc
// CHECK:         affine.store %{{.*}}, %arg1[%{{.*}}, 0]
// CHECK:         affine.load %arg1[%{{.*}}, 1]
// CHECK:         affine.store %{{.*}}, %arg1[%{{.*}}, 1]
func.func @pairs(%x: tensor<8x2xf64>) -> tensor<8x2xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = weft.map [0] to [8] stores [affine_map<(i) -> (i, 1)>, affine_map<(i) -> (i, 0)>] attributes {weft.lane_index = 0 : i64} {
  ^bb0(%i: index):
    %p = tensor.extract %x[%i, %zero] : tensor<8x2xf64>
    %q = tensor.extract %x[%i, %one] : tensor<8x2xf64>
    weft.yield %p, %q : f64, f64
  } : tensor<8x2xf64>
  %y = weft.map [0] to [8] stores [affine_map<(i) -> (i, 0)>, affine_map<(i) -> (i, 1)>] attributes {weft.lane_index = 0 : i64} {
  ^bb0(%i: index):
    %p = tensor.extract %a[%i, %zero] : tensor<8x2xf64>
    %q = tensor.extract %a[%i, %one] : tensor<8x2xf64>
    %s = arith.addf %p, %q : f64
    %d = arith.subf %p, %q : f64
    weft.yield %s, %d : f64, f64
  } : tensor<8x2xf64>
  return %y : tensor<8x2xf64>
}
}
