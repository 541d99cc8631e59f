// Lines that no core has room for, and that the cores of a row cannot share either.
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm --remarks-filter=tile-for-ldm --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=decided

// CHECK: rejected {{.*}}its stages (3) over blocks of lines", Why="a line takes 65536 bytes, a core's memory has 43008 for it; there are 7 lines, and 8 rows of cores"
// CHECK: rejected {{.*}}its stages (4) over blocks of lines", Why="a line takes 69984 bytes, a core's memory has 43008 for it; no two factors of 2187 points are multiples of 8 cores, one of them for messages of 2 points, and its stages read or store what cannot be filled up"
// CHECK: rejected {{.*}}its stages (4) over blocks of lines", Why="a line takes 524288 bytes, a core's memory has 43008 for it; its part with each of 8 cores takes 65536 bytes before and behind an exchange, and they have 38229 for it"
// CHECK: rejected {{.*}}its stages (3) over blocks of lines", Why="a line takes 65536 bytes, a core's memory has 43008 for it; 12 columns lie side by side, and 8 cores take 16 at least"
// CHECK: rejected {{.*}}its stages (3) over blocks of lines", Why="a line takes 51200 bytes, a core's memory has 43008 for it; its stages have no two factors that 8 cores can share"
// CHECK: rejected {{.*}}its stages (4) over blocks of lines", Why="a line takes 262144 bytes, a core's memory has 43008 for it; its part with each of 8 cores takes 65536 bytes before and behind an exchange, and they have 38229 for it"
// Of Rader's convolution three arrays of a line are in use at once: a product is read again by the last stage.
// CHECK: rejected {{.*}}over blocks of lines", Why="a line takes 43696 bytes, a core's memory has 43008 for it; cores share only lines of whole stages of butterflies"
module attributes {weft.target = #target} {
func.func @few(%x: tensor<7x2048xcomplex<f64>>) -> tensor<7x2048xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<7x2048xcomplex<f64>>
  return %y : tensor<7x2048xcomplex<f64>>
}
func.func @odd(%x: tensor<64x2187xcomplex<f64>>, %w: tensor<2187xcomplex<f64>>)
    -> tensor<64x2187xcomplex<f64>> {
  %p = weft.map [0, 0] to [64, 2187] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %a = tensor.extract %x[%i, %j] : tensor<64x2187xcomplex<f64>>
    %b = tensor.extract %w[%j] : tensor<2187xcomplex<f64>>
    %c = complex.mul %a, %b : complex<f64>
    weft.yield %c : complex<f64>
  } : tensor<64x2187xcomplex<f64>>
  %y = weft.dft %p axis 1 sign -1 : tensor<64x2187xcomplex<f64>>
  return %y : tensor<64x2187xcomplex<f64>>
}
func.func @long(%x: tensor<64x16384xcomplex<f64>>) -> tensor<64x16384xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x16384xcomplex<f64>>
  return %y : tensor<64x16384xcomplex<f64>>
}
func.func @few_columns(%x: tensor<2048x12xcomplex<f64>>) -> tensor<2048x12xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<2048x12xcomplex<f64>>
  return %y : tensor<2048x12xcomplex<f64>>
}
func.func @odd_columns(%x: tensor<1600x64xcomplex<f64>>) -> tensor<1600x64xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<1600x64xcomplex<f64>>
  return %y : tensor<1600x64xcomplex<f64>>
}
func.func @long_columns(%x: tensor<8192x64xcomplex<f64>>) -> tensor<8192x64xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<8192x64xcomplex<f64>>
  return %y : tensor<8192x64xcomplex<f64>>
}
func.func @prime(%x: tensor<64x911xcomplex<f64>>) -> tensor<64x911xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x911xcomplex<f64>>
  return %y : tensor<64x911xcomplex<f64>>
}
}
