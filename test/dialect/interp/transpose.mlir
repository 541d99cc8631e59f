// RUN: weft-interp %s | FileCheck %s

// CHECK: result0: int64[3, 1, 2] = {{\[\[\[}}1, 4]], {{\[\[}}2, 5]], {{\[\[}}3, 6]]]
// CHECK-NEXT: result1: int64[6] = [1, 2, 3, 4, 5, 6]
func.func @f() -> (tensor<3x1x2xi64>, tensor<6xi64>) {
  %x = weft.table dense<[[[1, 2, 3], [4, 5, 6]]]> : tensor<1x2x3xi64>
  %y = weft.transpose %x perm [2, 0, 1] : tensor<1x2x3xi64> -> tensor<3x1x2xi64>
  %z = weft.reshape %x : tensor<1x2x3xi64> -> tensor<6xi64>
  return %y, %z : tensor<3x1x2xi64>, tensor<6xi64>
}
