// A table keeps its elements.
// RUN: weft-opt %s | weft-opt | FileCheck %s

// CHECK: weft.table dense<[0, 1, -2, -1]> : tensor<4xi64>
func.func @table() -> tensor<4xi64> {
  %kx = weft.table dense<[0, 1, -2, -1]> : tensor<4xi64>
  return %kx : tensor<4xi64>
}
