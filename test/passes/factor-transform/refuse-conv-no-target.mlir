// The choice needs the machine's numbers; an algorithm that is named does not.
// RUN: not weft-opt %s --factor-transform 2>&1 | FileCheck %s

// CHECK: error: {{.*}}weft.target
module {
  func.func @f(%x: tensor<1x3x7x7xf32>, %g: tensor<2x3x3x3xf32>) -> tensor<1x2x5x5xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "auto"
      {transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}]}
      : tensor<1x3x7x7xf32>, tensor<2x3x3x3xf32> -> tensor<1x2x5x5xf32>
    return %y : tensor<1x2x5x5xf32>
  }
}
