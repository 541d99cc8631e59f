// RUN: cat %target_avx512 %s | weft-opt - --factor-transform --remarks-filter=factor-transform --remark-policy=all 2>%t \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// Whole lines by Bluestein's convolution along them: the chirps are maps of their own, at the edges of a transform and
// of one back, each a group; the first stage knows most of the zeros behind the line.

// NOTE: decided {{.*}}509 points by Bluestein's convolution of 1024, in stages of radix 16, 8, 8", Why="butterflies end at 31; vectors lie along the line
// NOTE: decided {{.*}}47 points by Bluestein's convolution of 96
// NOTE: decided {{.*}}the factor 47 by Bluestein's convolution
// NOTE: decided {{.*}}254 points by Bluestein's convolution of 512
// NOTE: decided {{.*}}the factor 127 by Rader's convolution

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @n509
// CHECK-SAME:    %[[X:.*]]: tensor
// CHECK:       %[[CHIRPED:.*]] = weft.map [0, 0] to [32, 509]
// CHECK:         tensor.extract %[[X]]
// CHECK:       %[[FILLED:.*]] = weft.map [0, 509] to [32, 512] {{.*}}init(%[[CHIRPED]]
// CHECK:       weft.map [0, 0, 0] to [32, 64, 1] {{.*}}weft.group = 0
// CHECK-COUNT-8: tensor.extract %[[FILLED]]
// CHECK-NOT:     tensor.extract %[[FILLED]]
// CHECK:       weft.butterfly %{{.*}} axis 1 radix 8 done 16 sign -1 {weft.group = 0
// CHECK:       weft.butterfly %{{.*}} axis 1 radix 8 done 128 sign -1 {weft.group = 0
// CHECK:       weft.map [0, 0] to [32, 1024]
// CHECK:       weft.butterfly %{{.*}} axis 1 radix 16 done 1 sign -1 {weft.group = [[BACK:[0-9]+]]
// CHECK:       weft.butterfly %{{.*}} axis 1 radix 8 done 128 sign -1 {weft.group = [[BACK]]
// CHECK:       %[[Y:.*]] = weft.map [0, 0] to [32, 509]
// CHECK:       return %[[Y]]
func.func @n509(%x: tensor<32x509xcomplex<f64>>) -> tensor<32x509xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<32x509xcomplex<f64>>
  return %y : tensor<32x509xcomplex<f64>>
}

// Lines that are too few to lie side by side, however short; of many that are short vectors lie across.
func.func @few(%x: tensor<3x47xcomplex<f64>>) -> tensor<3x47xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x47xcomplex<f64>>
  return %y : tensor<3x47xcomplex<f64>>
}
func.func @short(%x: tensor<64x47xcomplex<f64>>) -> tensor<64x47xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x47xcomplex<f64>>
  return %y : tensor<64x47xcomplex<f64>>
}

// Of single precision, where a vector has twice as many points, also instead of Rader's.
func.func @single(%x: tensor<254xcomplex<f32>>) -> tensor<254xcomplex<f32>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<254xcomplex<f32>>
  return %y : tensor<254xcomplex<f32>>
}
func.func @double(%x: tensor<254xcomplex<f64>>) -> tensor<254xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<254xcomplex<f64>>
  return %y : tensor<254xcomplex<f64>>
}
}
