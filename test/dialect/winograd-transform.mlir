// A Winograd transform of real and of complex elements.
// RUN: weft-opt %s | weft-opt | FileCheck %s

// CHECK: weft.winograd_transform %{{.*}} axis 1 matrix dense<{{\[}}[1.000000e+00, 1.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, -1.000000e+00]]> : tensor<2x3xf32> : tensor<4x3xf32> -> tensor<4x2xf32>
func.func @real(%x: tensor<4x3xf32>) -> tensor<4x2xf32> {
  %y = weft.winograd_transform %x axis 1 matrix dense<[[1.0, 1.0, 0.0], [0.0, 1.0, -1.0]]> : tensor<2x3xf32> : tensor<4x3xf32> -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// CHECK: weft.winograd_transform %{{.*}} axis 0 {{.*}} : tensor<1x2xf64> : tensor<2xcomplex<f64>> -> tensor<1xcomplex<f64>>
func.func @complex(%x: tensor<2xcomplex<f64>>) -> tensor<1xcomplex<f64>> {
  %y = weft.winograd_transform %x axis 0 matrix dense<[[1.0, 2.0]]> : tensor<1x2xf64> : tensor<2xcomplex<f64>> -> tensor<1xcomplex<f64>>
  return %y : tensor<1xcomplex<f64>>
}
