// RUN: weft-interp %s | FileCheck %s

// CHECK: result0: int64[8] = [0, 1, 4, 9, 16, 25, 36, 49]
func.func @f() -> tensor<8xi64> {
  %y = weft.blocks [0] to [8] steps [4] places [affine_map<(b, q) -> (b + q)>] {
  ^bb0(%b: index):
    %t = weft.map [0] to [4] stores [affine_map<(q) -> (q)>] {
    ^bb0(%q: index):
      %s = affine.apply affine_map<(b, q) -> (b + q)>(%b, %q)
      %n = arith.index_cast %s : index to i64
      %square = arith.muli %n, %n : i64
      weft.yield %square : i64
    } : tensor<4xi64>
    weft.yield %t : tensor<4xi64>
  } : tensor<8xi64>
  return %y : tensor<8xi64>
}
