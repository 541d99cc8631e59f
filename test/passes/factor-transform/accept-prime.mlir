// A prime without a codelet: chirp, transform, product, inverse transform, chirp.
// RUN: weft-opt %s --factor-transform | FileCheck %s

// CHECK-LABEL: func.func @n17(
// CHECK-SAME:  %[[X:.*]]: tensor<3x17xcomplex<f64>>)
// CHECK:         %[[PADDED:.*]] = weft.map [0, 0] to [3, 36]
// CHECK:           tensor.extract %[[X]]
// CHECK:         %[[FIRST:.*]] = weft.butterfly %[[PADDED]] axis 1 radix 6 done 1 sign -1
// CHECK-NEXT:    %[[SPECTRUM:.*]] = weft.butterfly %[[FIRST]] axis 1 radix 6 done 6 sign -1
// CHECK:         %[[PRODUCT:.*]] = weft.map [0, 0] to [3, 36]
// CHECK:           tensor.extract %[[SPECTRUM]]
// CHECK:         weft.butterfly %[[PRODUCT]] axis 1 radix 6 done 1 sign 1
// CHECK:         weft.map [0, 0, 0, 0] to [3, 17, 1, 1]
func.func @n17(%x: tensor<3x17xcomplex<f64>>) -> tensor<3x17xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x17xcomplex<f64>>
  return %y : tensor<3x17xcomplex<f64>>
}
