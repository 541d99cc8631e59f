// A convolution with each algorithm.
// RUN: weft-opt %s | weft-opt | FileCheck %s

// CHECK: weft.conv %{{.*}}, %{{.*}} pad [1, 0] stride [2, 1] groups 2 algorithm "direct" : tensor<1x4x9x8xf32>, tensor<2x2x3x3xf32> -> tensor<1x2x5x6xf32>
func.func @direct(%x: tensor<1x4x9x8xf32>, %g: tensor<2x2x3x3xf32>) -> tensor<1x2x5x6xf32> {
  %y = weft.conv %x, %g pad [1, 0] stride [2, 1] groups 2 algorithm "direct" : tensor<1x4x9x8xf32>, tensor<2x2x3x3xf32> -> tensor<1x2x5x6xf32>
  return %y : tensor<1x2x5x6xf32>
}

// CHECK: weft.conv {{.*}} algorithm "winograd" {transforms = [{AT = dense<{{.*}}> : tensor<2x3xf64>, BT = dense<{{.*}}> : tensor<3x3xf64>, G = dense<{{.*}}> : tensor<3x2xf64>, m = 2 : i64, r = 2 : i64}]}
func.func @winograd(%x: tensor<1x1x4x4xcomplex<f64>>, %g: tensor<1x1x2x2xcomplex<f64>>) -> tensor<1x1x3x3xcomplex<f64>> {
  %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "winograd" {transforms = [{m = 2 : i64, r = 2 : i64, AT = dense<[[1.0, 1.0, 0.0], [0.0, 1.0, 1.0]]> : tensor<2x3xf64>, G = dense<[[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]> : tensor<3x2xf64>, BT = dense<[[1.0, -1.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 1.0]]> : tensor<3x3xf64>}]} : tensor<1x1x4x4xcomplex<f64>>, tensor<1x1x2x2xcomplex<f64>> -> tensor<1x1x3x3xcomplex<f64>>
  return %y : tensor<1x1x3x3xcomplex<f64>>
}

// CHECK: weft.conv {{.*}} algorithm "auto" :
func.func @auto(%x: tensor<1x1x4x4xf32>, %g: tensor<1x1x2x2xf32>) -> tensor<1x1x3x3xf32> {
  %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "auto" : tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32> -> tensor<1x1x3x3xf32>
  return %y : tensor<1x1x3x3xf32>
}

// Layouts that are not nchw are printed.
// CHECK: weft.conv {{.*}} algorithm "auto" {layout = "nhwc", out_layout = "nchw16c"} : tensor<1x4x4x3xf32>, tensor<32x3x3x3xf32> -> tensor<1x2x4x4x16xf32>
func.func @layouts(%x: tensor<1x4x4x3xf32>, %g: tensor<32x3x3x3xf32>) -> tensor<1x2x4x4x16xf32> {
  %y = weft.conv %x, %g pad [1, 1] stride [1, 1] groups 1 algorithm "auto" {layout = "nhwc", out_layout = "nchw16c"} : tensor<1x4x4x3xf32>, tensor<32x3x3x3xf32> -> tensor<1x2x4x4x16xf32>
  return %y : tensor<1x2x4x4x16xf32>
}

// Signals and volumes name their layouts.
// CHECK: weft.conv {{.*}} pad [1] stride [2] groups 1 algorithm "auto" {layout = "ncw", out_layout = "nwc"} : tensor<1x4x9xf32>, tensor<2x4x3xf32> -> tensor<1x5x2xf32>
func.func @signals(%x: tensor<1x4x9xf32>, %g: tensor<2x4x3xf32>) -> tensor<1x5x2xf32> {
  %y = weft.conv %x, %g pad [1] stride [2] groups 1 algorithm "auto" {layout = "ncw", out_layout = "nwc"} : tensor<1x4x9xf32>, tensor<2x4x3xf32> -> tensor<1x5x2xf32>
  return %y : tensor<1x5x2xf32>
}
