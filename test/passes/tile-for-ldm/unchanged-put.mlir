// Copies that stay: columns whose neighbours come apart, what ends a line that is longer than caches,
// what others read as well; on a core group too few lines for all cores, and several dimensions of them.
// RUN: cat %target_avx512 %s | weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm | FileCheck %s --check-prefix=CPU
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm | FileCheck %s --check-prefix=GROUP

// CPU-LABEL:   func.func @apart
// CPU:           weft.map [0, 0, 0] to [64, 16, 32]
// CPU-LABEL:   func.func @long
// CPU:           weft.map [0, 0] to [64, 512]
// CPU-LABEL:   func.func @both
// CPU:           weft.map [0, 0] to [64, 512]
// GROUP-LABEL: func.func @apart
// GROUP-LABEL: func.func @few
// GROUP:         weft.map [0, 0] to [64, 32]
// GROUP-LABEL: func.func @several
// GROUP:         weft.map [0, 0, 0] to [16, 64, 64]
module attributes {weft.target = #target} {
func.func @apart(%x: tensor<32x16x64xcomplex<f64>>) -> tensor<64x16x32xcomplex<f64>> {
  %a = weft.dft %x axis 1 sign -1 : tensor<32x16x64xcomplex<f64>>
  %y = weft.transpose %a perm [2, 1, 0] : tensor<32x16x64xcomplex<f64>> -> tensor<64x16x32xcomplex<f64>>
  return %y : tensor<64x16x32xcomplex<f64>>
}
func.func @long(%x: tensor<512x64xcomplex<f64>>) -> tensor<64x512xcomplex<f64>> {
  %a = weft.dft %x axis 1 sign -1 : tensor<512x64xcomplex<f64>>
  %y = weft.transpose %a perm [1, 0] {weft.of_line} : tensor<512x64xcomplex<f64>> -> tensor<64x512xcomplex<f64>>
  return %y : tensor<64x512xcomplex<f64>>
}
func.func @both(%x: tensor<512x64xcomplex<f64>>) -> (tensor<64x512xcomplex<f64>>, tensor<512x64xcomplex<f64>>) {
  %a = weft.dft %x axis 1 sign -1 : tensor<512x64xcomplex<f64>>
  %y = weft.transpose %a perm [1, 0] : tensor<512x64xcomplex<f64>> -> tensor<64x512xcomplex<f64>>
  return %y, %a : tensor<64x512xcomplex<f64>>, tensor<512x64xcomplex<f64>>
}
func.func @few(%x: tensor<32x64xcomplex<f64>>) -> tensor<64x32xcomplex<f64>> {
  %a = weft.dft %x axis 1 sign -1 : tensor<32x64xcomplex<f64>>
  %y = weft.transpose %a perm [1, 0] : tensor<32x64xcomplex<f64>> -> tensor<64x32xcomplex<f64>>
  return %y : tensor<64x32xcomplex<f64>>
}
func.func @several(%x: tensor<16x64x64xcomplex<f64>>) -> tensor<16x64x64xcomplex<f64>> {
  %a = weft.dft %x axis 2 sign -1 : tensor<16x64x64xcomplex<f64>>
  %y = weft.transpose %a perm [0, 2, 1] : tensor<16x64x64xcomplex<f64>> -> tensor<16x64x64xcomplex<f64>>
  return %y : tensor<16x64x64xcomplex<f64>>
}
}
