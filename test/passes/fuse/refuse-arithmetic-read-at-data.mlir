// What costs arithmetic is not evaluated at rows that data picks: one may be picked twice.
// RUN: weft-opt %s --fuse | FileCheck %s

// CHECK-COUNT-2: weft.map
func.func @f(%x: tensor<16xf64>, %idx: tensor<8xi64>) -> tensor<8xf64> {
  %safe = weft.checked_indices %idx below 16 code 1 : tensor<8xi64>
  %a = weft.map [0] to [16] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %e = tensor.extract %x[%i] : tensor<16xf64>
    %s = arith.mulf %e, %e : f64
    weft.yield %s : f64
  } : tensor<16xf64>
  %y = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %k = tensor.extract %safe[%i] : tensor<8xi64>
    %row = arith.index_cast %k : i64 to index
    %e = tensor.extract %a[%row] : tensor<16xf64>
    weft.yield %e : f64
  } : tensor<8xf64>
  return %y : tensor<8xf64>
}
