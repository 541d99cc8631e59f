// Indices that are data: checked, then read at. Unused checks stay, equal ones too.
// RUN: weft-opt %s | weft-opt | FileCheck %s
// RUN: weft-opt %s -canonicalize -cse | FileCheck %s --check-prefix=EFFECT

// CHECK: weft.checked_indices %{{.*}} below 16 code 1 : tensor<8xi64>
// CHECK: arith.index_cast
// CHECK: weft.checked_indices %{{.*}} below 16 code 2 : tensor<8xi64>
// CHECK: weft.checked_indices %{{.*}} below 16 code 2 : tensor<8xi64>
// EFFECT-COUNT-3: weft.checked_indices
func.func @f(%x: tensor<16x4xf64>, %idx: tensor<8xi64>) -> tensor<8x4xf64> {
  %safe = weft.checked_indices %idx below 16 code 1 : tensor<8xi64>
  %y = weft.map [0, 0] to [8, 4] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %k = tensor.extract %safe[%i] : tensor<8xi64>
    %row = arith.index_cast %k : i64 to index
    %e = tensor.extract %x[%row, %j] : tensor<16x4xf64>
    weft.yield %e : f64
  } : tensor<8x4xf64>
  %unused = weft.checked_indices %idx below 16 code 2 : tensor<8xi64>
  %equal = weft.checked_indices %idx below 16 code 2 : tensor<8xi64>
  return %y : tensor<8x4xf64>
}
