// What is not a transform stays.
// RUN: weft-opt %s --factor-transform | FileCheck %s

// CHECK-LABEL: func.func @turned(
// CHECK-NEXT:    %{{.*}} = weft.transpose %arg0 perm [0, 1]
// CHECK-NEXT:    return
func.func @turned(%x: tensor<3x4xcomplex<f64>>) -> tensor<3x4xcomplex<f64>> {
  %y = weft.transpose %x perm [0, 1] : tensor<3x4xcomplex<f64>> -> tensor<3x4xcomplex<f64>>
  return %y : tensor<3x4xcomplex<f64>>
}
