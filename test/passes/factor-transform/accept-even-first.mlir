// On a core group an even radix comes first along lines, so that vectors of pairs lie along them; not along
// other axes, where there is none, and where a prime has a convolution of its own.
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @n900(
// CHECK-NEXT:    weft.butterfly %{{.*}} axis 1 radix 4 done 1 sign -1
// CHECK-NEXT:    weft.butterfly %{{.*}} axis 1 radix 15 done 4 sign -1
// CHECK-NEXT:    weft.butterfly %{{.*}} axis 1 radix 15 done 60 sign -1
func.func @n900(%x: tensor<3x900xcomplex<f64>>) -> tensor<3x900xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x900xcomplex<f64>>
  return %y : tensor<3x900xcomplex<f64>>
}

// CHECK-LABEL: func.func @columns(
// CHECK-NEXT:    weft.butterfly %{{.*}} axis 0 radix 15 done 1 sign -1
func.func @columns(%x: tensor<900x3xcomplex<f64>>) -> tensor<900x3xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<900x3xcomplex<f64>>
  return %y : tensor<900x3xcomplex<f64>>
}

// CHECK-LABEL: func.func @odd(
// CHECK-NEXT:    weft.butterfly %{{.*}} axis 1 radix 15 done 1 sign -1
// CHECK-NEXT:    weft.butterfly %{{.*}} axis 1 radix 7 done 15 sign -1
func.func @odd(%x: tensor<3x105xcomplex<f64>>) -> tensor<3x105xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x105xcomplex<f64>>
  return %y : tensor<3x105xcomplex<f64>>
}
}
