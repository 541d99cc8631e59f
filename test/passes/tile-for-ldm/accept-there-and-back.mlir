// RUN: cat %target_avx512 %s | weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm | FileCheck %s
// A transform, a product, and the transform back, along the same lines: one block goes all the way.

module attributes {weft.target = #target} {
// Vectors along the lines.
// CHECK-LABEL: func.func @rows
// CHECK:       weft.blocks [0] to [64]
// CHECK-SAME:  weft.along_lines
// CHECK-NOT:   weft.blocks
// CHECK:       return
func.func @rows(%x: tensor<64x256xcomplex<f64>>, %h: tensor<256xcomplex<f64>>) -> tensor<64x256xcomplex<f64>> {
  %a = weft.dft %x axis 1 sign -1 : tensor<64x256xcomplex<f64>>
  %p = weft.map [0, 0] to [64, 256] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %u = tensor.extract %a[%i, %j] : tensor<64x256xcomplex<f64>>
    %v = tensor.extract %h[%j] : tensor<256xcomplex<f64>>
    %w = complex.mul %u, %v : complex<f64>
    weft.yield %w : complex<f64>
  } : tensor<64x256xcomplex<f64>>
  %y = weft.dft %p axis 1 sign 1 : tensor<64x256xcomplex<f64>>
  return %y : tensor<64x256xcomplex<f64>>
}

// Across columns.
// CHECK-LABEL: func.func @columns
// CHECK:       weft.blocks [0] to [64] steps [8]
// CHECK-NOT:   weft.blocks
// CHECK:       return
func.func @columns(%x: tensor<256x64xcomplex<f64>>) -> tensor<256x64xcomplex<f64>> {
  %a = weft.dft %x axis 0 sign -1 : tensor<256x64xcomplex<f64>>
  %y = weft.dft %a axis 0 sign 1 : tensor<256x64xcomplex<f64>>
  return %y : tensor<256x64xcomplex<f64>>
}

// Three of them.
// CHECK-LABEL: func.func @thrice
// CHECK:       weft.blocks [0] to [64] steps [8]
// CHECK-NOT:   weft.blocks
// CHECK:       return
func.func @thrice(%x: tensor<256x64xcomplex<f64>>) -> tensor<256x64xcomplex<f64>> {
  %a = weft.dft %x axis 0 sign -1 : tensor<256x64xcomplex<f64>>
  %b = weft.dft %a axis 0 sign 1 : tensor<256x64xcomplex<f64>>
  %y = weft.dft %b axis 0 sign -1 : tensor<256x64xcomplex<f64>>
  return %y : tensor<256x64xcomplex<f64>>
}
}
